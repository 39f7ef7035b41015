/** C code that provides the arenas of functions: memory for the buffers of a call. */

/** The exported function that allocates the arena ahead of the first call; it tells whether there is memory. */
export const reserveSymbol = 'arena_reserve';

/**
 * C code with `arena_take` and `arena_give`, for arenas of so many bytes; none for 0. One arena is kept from call to
 * call, so that the system need not clear its pages each time; calls at the same time take others. Large ones are in
 * large pages where the system has some, as arrays are (`aligned-memory.ts`). Without memory the process ends, unless
 * the arena was reserved. A standalone program (`SCONV_PROGRAM`) keeps it to its end.
 */
export const arenaSupport = (bytes: number): readonly string[] =>
  bytes === 0
    ? []
    : [
        `void *malloc(__SIZE_TYPE__);
int madvise(void *, __SIZE_TYPE__, int) __attribute__((weak));
enum { arena_page = 1 << 21, arena_line = 64, arena_advice = 14 };
static const uint64_t arena_bytes = ${bytes};
static char *arena_kept;
/* The start of the block is noted before the arena. */
static char *arena_new(void) {
  const uint64_t alignment = arena_bytes < arena_page / 2 ? arena_line : arena_page;
  const uint64_t rounded = (arena_bytes + alignment - 1) / alignment * alignment;
  char *block = malloc(rounded + alignment + sizeof block);
  if (block == 0) return 0;
  char *arena = block + sizeof block;
  arena += -(uintptr_t)arena & (alignment - 1);
  memcpy(arena - sizeof block, &block, sizeof block);
  if (alignment == arena_page && madvise != 0) madvise(arena, rounded, arena_advice);
  return arena;
}
static void arena_free(char *arena) {
  if (arena == 0) return;
  char *block;
  memcpy(&block, arena - sizeof block, sizeof block);
  free(block);
}
static char *arena_take(void) {
  char *arena = __atomic_exchange_n(&arena_kept, (char *)0, __ATOMIC_ACQ_REL);
  if (arena == 0) arena = arena_new();
  if (arena == 0) __builtin_trap();
  return arena;
}
static void arena_give(char *arena) {
  arena_free(__atomic_exchange_n(&arena_kept, arena, __ATOMIC_ACQ_REL));
}
__attribute__((weak, visibility("default"))) int32_t ${reserveSymbol}(void);
int32_t ${reserveSymbol}(void) {
  char *arena = __atomic_exchange_n(&arena_kept, (char *)0, __ATOMIC_ACQ_REL);
  if (arena == 0) arena = arena_new();
  if (arena == 0) return 0;
  arena_give(arena);
  return 1;
}
#ifndef SCONV_PROGRAM
__attribute__((destructor)) static void arena_end(void) {
  arena_free(__atomic_exchange_n(&arena_kept, (char *)0, __ATOMIC_ACQ_REL));
}
#endif`,
      ];
