/** C code of the thread pool that shares loops. */

/** Exported symbols: start threads, count them, and end them. */
export const poolSymbols = { begin: 'pool_begin', helpers: 'pool_helpers', end: 'pool_end' } as const;

/**
 * Threads that help the caller of a function: each takes the next iteration of a loop until there is none. The caller
 * participates, and waits for helpers that are in an iteration, but not for those that have not started. A helper
 * spins for a while before it sleeps: waking it takes longer than a small loop.
 */
export const threadPool = `#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
void *malloc(__SIZE_TYPE__);
typedef void pool_part(const void *frame, int64_t number);
struct pool {
  pthread_mutex_t mutex;
  pthread_cond_t begun, left;
  _Atomic uint64_t round;
  _Atomic int64_t next;
  _Atomic int32_t inside;
  _Atomic _Bool ends;
  _Bool open;
  pool_part *part;
  const void *frame;
  int64_t count;
  void *library;
  int32_t helpers, sleeping;
  pthread_t threads[];
};
/* The pool of this thread's current call; null inside a shared loop, whose nested loops run sequentially. */
static _Thread_local struct pool *pool_current;
static void pool_take(struct pool *pool) {
  for (int64_t i; (i = atomic_fetch_add(&pool->next, 1)) < pool->count;) pool->part(pool->frame, i);
}
#if defined(__x86_64__)
#define pool_pause() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define pool_pause() __asm__ volatile("yield")
#else
#define pool_pause() ((void)0)
#endif
enum { pool_spins = 2000 };
static void *pool_help(void *own) {
  struct pool *pool = own;
  for (uint64_t seen = 0;;) {
    for (int i = 0; i < pool_spins && pool->round == seen && !pool->ends; i++) pool_pause();
    pthread_mutex_lock(&pool->mutex);
    pool->sleeping++;
    while (pool->round == seen && !pool->ends) pthread_cond_wait(&pool->begun, &pool->mutex);
    pool->sleeping--;
    seen = pool->round;
    _Bool ends = pool->ends, enters = pool->open;
    if (enters) pool->inside++;
    pthread_mutex_unlock(&pool->mutex);
    if (ends) return 0;
    if (!enters) continue;
    pool_take(pool);
    pthread_mutex_lock(&pool->mutex);
    if (--pool->inside == 0) pthread_cond_signal(&pool->left);
    pthread_mutex_unlock(&pool->mutex);
  }
}
static void pool_share(pool_part *part, const void *frame, int64_t count) {
  struct pool *pool = pool_current;
  if (pool == 0) {
    for (int64_t i = 0; i < count; i++) part(frame, i);
    return;
  }
  pool_current = 0;
  pthread_mutex_lock(&pool->mutex);
  pool->part = part;
  pool->frame = frame;
  pool->count = count;
  pool->next = 0;
  pool->open = 1;
  pool->round++;
  if (pool->sleeping > 0) pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->mutex);
  pool_take(pool);
  for (int i = 0; i < pool_spins && pool->inside > 0; i++) pool_pause();
  pthread_mutex_lock(&pool->mutex);
  pool->open = 0;
  while (pool->inside > 0) pthread_cond_wait(&pool->left, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
  pool_current = pool;
}
/* Starts a pool for the library at this path; null without memory. It has fewer threads if the system allows no more. */
__attribute__((visibility("default"))) struct pool *pool_begin(int32_t helpers, const char *path) {
  struct pool *pool = malloc(sizeof *pool + helpers * sizeof *pool->threads);
  if (pool == 0) return 0;
  *pool = (struct pool){ .helpers = 0 };
  pthread_mutex_init(&pool->mutex, 0);
  pthread_cond_init(&pool->begun, 0);
  pthread_cond_init(&pool->left, 0);
  /* Keeps the library loaded as long as the threads run, even if its user has unloaded it. */
  pool->library = dlopen(path, RTLD_NOW);
  while (pool->helpers < helpers && pthread_create(&pool->threads[pool->helpers], 0, pool_help, pool) == 0)
    pool->helpers++;
  return pool;
}
__attribute__((visibility("default"))) int32_t pool_helpers(const struct pool *pool) {
  return pool->helpers;
}
/* Joins the threads; not to be called during a call that uses them. */
__attribute__((visibility("default"))) void pool_end(struct pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  pool->ends = 1;
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->mutex);
  for (int32_t i = 0; i < pool->helpers; i++) pthread_join(pool->threads[i], 0);
  pthread_cond_destroy(&pool->begun);
  pthread_cond_destroy(&pool->left);
  pthread_mutex_destroy(&pool->mutex);
  if (pool->library != 0) dlclose(pool->library);
  free(pool);
}
`;
