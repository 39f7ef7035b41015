/** Runtime of a bare-metal program: Bochs boots it from its own disk. */
import { exitCodes } from './program.ts';

/** Memory of the machine. */
export const memoryBytes = 2 ** 29;

/** Bytes per disk sector. */
export const sectorBytes = 512;

/** Assembly: the boot sector. */
export const bootSector = `# The first sector of the disk, which the BIOS loads to 0x7c00: it enters long mode with the first 4 GiB mapped to themselves, enables SSE,
# AVX and AVX-512, loads the program from the sectors after it to 1 MiB, and calls it. There are no interrupts: a fault ends it all.
.section .boot, "ax"
.code16
.global system_boot
system_boot:
  cli
  xorw %ax, %ax
  movw %ax, %ds
  movw %ax, %es
  movw %ax, %ss
  movw $0x7c00, %sp
  inb $0x92, %al                # the A20 gate
  orb $2, %al
  outb %al, $0x92
  cld
  movw $0x1000, %di             # page tables at 0x1000: one of each upper level, and four that map 1 GiB each
  xorl %eax, %eax
  movl $0x1800, %ecx
  rep stosl
  movl $0x2003, 0x1000
  movl $0x3003, 0x2000
  movl $0x4003, 0x2008
  movl $0x5003, 0x2010
  movl $0x6003, 0x2018
  movw $0x3000, %di
  movl $0x83, %eax              # pages of 2 MiB
  movw $2048, %cx
1:
  movl %eax, (%di)
  addl $0x200000, %eax
  addw $8, %di
  loop 1b
  movl $0x40620, %eax           # CR4: PAE, OSFXSR, OSXMMEXCPT, OSXSAVE
  movl %eax, %cr4
  movl $0x1000, %eax
  movl %eax, %cr3
  movl $0xc0000080, %ecx        # EFER: long mode
  rdmsr
  orl $0x100, %eax
  wrmsr
  movl %cr0, %eax
  andl $~4, %eax                # CR0: floating point is not emulated; paging and protection
  orl $0x80000003, %eax
  movl %eax, %cr0
  lgdt descriptors
  ljmpl $8, $long_mode
  .align 8
table:
  .quad 0
  .quad 0x00af9a000000ffff
  .quad 0x00cf92000000ffff
descriptors:
  .word 23
  .long table
.code64
long_mode:
  movw $16, %ax
  movw %ax, %ds
  movw %ax, %es
  movw %ax, %ss
  xorl %ecx, %ecx               # XCR0: x87, SSE, AVX, AVX-512
  movl $0xe7, %eax
  xorl %edx, %edx
  xsetbv
  movl $0x90000, %esp
  movl $0x100000, %edi
  movl $1, %ebx
  movl $sconv_program_sectors, %ebp
2:
  movw $0x1f6, %dx              # one sector at a time, by its number (ATA: READ SECTORS, 28 bits)
  movl %ebx, %eax
  shrl $24, %eax
  orb $0xe0, %al
  outb %al, %dx
  movw $0x1f2, %dx
  movb $1, %al
  outb %al, %dx
  incw %dx
  movl %ebx, %eax
  outb %al, %dx
  incw %dx
  shrl $8, %eax
  outb %al, %dx
  incw %dx
  shrl $8, %eax
  outb %al, %dx
  movw $0x1f7, %dx
  movb $0x20, %al
  outb %al, %dx
3:
  inb %dx, %al
  andb $0x88, %al               # not busy, and there is data
  cmpb $8, %al
  jne 3b
  movw $0x1f0, %dx
  movl $256, %ecx
  rep insw
  incl %ebx
  decl %ebp
  jnz 2b
  movl $sconv_zero, %edi
  movl $sconv_heap, %ecx
  subl %edi, %ecx
  xorl %eax, %eax
  rep stosb
  call main
4:
  hlt
  jmp 4b
  .org 510
  .word 0xaa55
`;

/** The linker script: the layout of a program on disk and in memory. */
export const programLayout = `ENTRY(system_boot)
SECTIONS {
  .boot 0x7c00 : AT(0) { *(.boot) }
  .text 0x100000 : AT(512) { *(.text .text.*) }
  .rodata ALIGN(64) : AT(512 + ADDR(.rodata) - 0x100000) { *(.rodata .rodata.*) }
  .data ALIGN(64) : AT(512 + ADDR(.data) - 0x100000) { *(.data .data.*) LONG(0) }
  sconv_program_sectors = (. - 0x100000 + 511) / 512;
  .bss ALIGN(64) (NOLOAD) : { sconv_zero = .; *(.bss .bss.* COMMON) }
  sconv_heap = ALIGN(4096);
  /DISCARD/ : { *(.comment .note .note.* .eh_frame .eh_frame_hdr) }
}
`;

/**
 * C runtime: a part of the C library, and I/O of calls and results on the disk. The sector after the program states
 * how many bytes of calls follow, and the first sector of the output; that one states that the program has ended, its
 * exit code, and how many bytes follow.
 */
export const bareSystem = `#include <stdint.h>
_Noreturn void system_exit(int code);
extern char sconv_heap[];
extern uint32_t sconv_program_sectors[];
enum { sector = 512, heap_end = ${memoryBytes} };

static void out8(uint16_t port, uint8_t value) { __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port)); }
static uint8_t in8(uint16_t port) { uint8_t value; __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port)); return value; }

void *memcpy(void *to, const void *from, unsigned long bytes) {
  void *start = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
  return start;
}
void *memset(void *to, int value, unsigned long bytes) {
  void *start = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(value) : "memory");
  return start;
}
void *memmove(void *to, const void *from, unsigned long bytes) {
  if ((uintptr_t)to <= (uintptr_t)from || (uintptr_t)to >= (uintptr_t)from + bytes) return memcpy(to, from, bytes);
  char *last = (char *)to + bytes - 1;
  const char *source = (const char *)from + bytes - 1;
  __asm__ volatile("std; rep movsb; cld" : "+D"(last), "+S"(source), "+c"(bytes) : : "memory");
  return to;
}

/* The heap: each block is preceded by its size; a freed block is reused for the same size only. */
struct block { uint64_t bytes; struct block *next; char rest[48]; };
static char *heap;
static struct block *unused;
void *malloc(unsigned long bytes) {
  bytes = (bytes + 63) / 64 * 64 + 64;
  for (struct block **at = &unused; *at != 0; at = &(*at)->next) {
    struct block *found = *at;
    if (found->bytes != bytes) continue;
    *at = found->next;
    return found + 1;
  }
  if (heap == 0) heap = sconv_heap;
  struct block *made = (struct block *)heap;
  if (bytes + 64 > heap_end - (uintptr_t)heap) system_exit(${exitCodes.memory});
  heap += bytes + 64;
  made->bytes = bytes;
  return made + 1;
}
void free(void *memory) {
  if (memory == 0) return;
  struct block *given = (struct block *)memory - 1;
  given->next = unused;
  unused = given;
}
void *system_memory(uint64_t bytes) { return malloc(bytes); }
void system_release(void *memory) { free(memory); }

/* The disk: the program, its input, its output; the input says where the output begins. */
static void command(uint32_t at, uint8_t what) {
  out8(0x1f6, 0xe0 | at >> 24);
  out8(0x1f2, 1);
  out8(0x1f3, at);
  out8(0x1f4, at >> 8);
  out8(0x1f5, at >> 16);
  out8(0x1f7, what);
  while ((in8(0x1f7) & 0x88) != 8) {}
}
static void read_sector(uint32_t at, void *to) {
  uint64_t words = sector / 2;
  command(at, 0x20);
  __asm__ volatile("rep insw" : "+D"(to), "+c"(words) : "d"(0x1f0) : "memory");
}
static void write_sector(uint32_t at, const void *from) {
  uint64_t words = sector / 2;
  command(at, 0x30);
  __asm__ volatile("rep outsw" : "+S"(from), "+c"(words) : "d"(0x1f0) : "memory");
  while (in8(0x1f7) & 0x80) {}
}

static struct { uint64_t input, output; } places;
static uint64_t taken, given;
static char input[sector], output[sector];

_Bool system_take(void *to, uint64_t bytes) {
  uint32_t start = 1 + (uint32_t)(uintptr_t)sconv_program_sectors;
  if (taken == 0) {
    read_sector(start, input);
    memcpy(&places, input, sizeof places);
  }
  if (bytes > places.input - taken) return 0;
  for (char *at = to; bytes > 0;) {
    uint64_t within = taken % sector, part = sector - within < bytes ? sector - within : bytes;
    if (within == 0) read_sector(start + 1 + taken / sector, input);
    memcpy(at, input + within, part);
    at += part, taken += part, bytes -= part;
  }
  return 1;
}
void system_give(const void *from, uint64_t bytes) {
  for (const char *at = from; bytes > 0;) {
    uint64_t within = given % sector, part = sector - within < bytes ? sector - within : bytes;
    memcpy(output + within, at, part);
    at += part, given += part, bytes -= part;
    if (given % sector == 0) write_sector(places.output + given / sector, output);
  }
}
_Noreturn void system_exit(int code) {
  if (given % sector != 0) write_sector(places.output + 1 + given / sector, output);
  uint64_t header[sector / 8] = { 1, (uint64_t)code, given };
  write_sector(places.output, header);
  for (const char *at = "Shutdown"; *at != 0; at++) out8(0x8900, *at);
  for (;;) __asm__ volatile("hlt");
}
`;
