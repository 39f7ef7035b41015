/*
 * A plugin of qemu's (TCG plugin API 1, qemu 6 to 7) that counts outer products of f32: `xvf32gerpp` of POWER10's MMA, `fmopa` of
 * Arm's SME. It adds a line with both counts to a file when the program ends:
 *
 *     gcc -O2 -shared -fPIC outer-products.c -o outer-products.so
 *     qemu-ppc64le -cpu power10 -plugin ./outer-products.so,to=counts.txt program
 *
 * What of qemu's API it takes is declared here, so that no header has to be there.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t plugin_id;
struct block;
struct instruction;
enum { inline_add_u64 = 0 };

extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct block *));
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern struct instruction *qemu_plugin_tb_get_insn(const struct block *, size_t);
extern const void *qemu_plugin_insn_data(const struct instruction *);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct instruction *, int, void *, uint64_t);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t mma, sme;
static int is_power;
static char file[4096];

static void translated(plugin_id id, struct block *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    struct instruction *instruction = qemu_plugin_tb_get_insn(block, i);
    uint32_t word;
    memcpy(&word, qemu_plugin_insn_data(instruction), sizeof word);
    /* Power ISA 3.1, XX3-form: opcode 59, extended opcode 26. */
    if (is_power && word >> 26 == 59 && (word >> 3 & 0xff) == 26)
      qemu_plugin_register_vcpu_insn_exec_inline(instruction, inline_add_u64, &mma, 1);
    /* Arm ARM, FMOPA (non-widening) of single precision. */
    if (!is_power && (word & 0xffe0001c) == 0x80800000)
      qemu_plugin_register_vcpu_insn_exec_inline(instruction, inline_add_u64, &sme, 1);
  }
}

static void ended(plugin_id id, void *data) {
  (void)id;
  (void)data;
  FILE *out = fopen(file, "a");
  if (out == 0) return;
  fprintf(out, "%llu %llu\n", (unsigned long long)mma, (unsigned long long)sme);
  fclose(out);
}

/** `target` is the first field of what qemu says of itself: the name of the machine. */
__attribute__((visibility("default"))) int qemu_plugin_install(plugin_id id, const char *const *target, int count,
                                                               char **arguments) {
  is_power = strncmp(target[0], "ppc", 3) == 0;
  for (int i = 0; i < count; i++) sscanf(arguments[i], "to=%4095[^\n]", file);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, 0);
  return 0;
}
