/*
 * Answers questions about integer sets and relations with isl, one a line, for comparison:
 *
 *   OPERATION <tab> SET [<tab> SET]
 *
 * Sets are in isl's syntax. The answer is one line, `RESULT <tab> NANOSECONDS <tab> NANOSECONDS` of the question
 * alone and of reading the sets, which isl simplifies while it reads them: the fastest of a few runs, each on sets
 * that are read anew, for isl remembers in a set what it found out about it. RESULT is `undecided` where isl fails,
 * or takes too long, `error` where it does not understand the sets.
 *
 *   empty SET          yes, no
 *   equal SET SET      yes, no
 *   subset SET SET     yes, no
 *   lexmin SET         the smallest point, or of a relation the smallest image of each point
 *   subtract SET SET   the difference
 *   count SET          the number of points
 *   print SET          the set as isl prints it
 */
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Whether the first tuple of the text is followed by an arrow. */
static int is_relation(const char *text) {
  const char *brace = strchr(text, '{');
  return brace != NULL && strstr(brace, "->") != NULL;
}

/* A set, or a relation as the set of its pairs. */
static isl_set *read_set(isl_ctx *ctx, const char *text) {
  if (is_relation(text)) return isl_map_wrap(isl_map_read_from_str(ctx, text));
  return isl_set_read_from_str(ctx, text);
}

/* Frees the set; the text is the caller's. */
static char *text_of(isl_set *set) {
  char *text;
  if (isl_set_is_wrapping(set) == isl_bool_true) {
    isl_map *map = isl_set_unwrap(set);
    text = isl_map_to_str(map);
    isl_map_free(map);
  } else {
    text = isl_set_to_str(set);
    isl_set_free(set);
  }
  return text;
}

static isl_set *lexmin(isl_set *set) {
  if (isl_set_is_wrapping(set) != isl_bool_true) return isl_set_lexmin(set);
  return isl_map_wrap(isl_map_lexmin(isl_set_unwrap(set)));
}

static char *word_of(isl_bool answer) {
  if (answer == isl_bool_error) return NULL;
  return strdup(answer == isl_bool_true ? "yes" : "no");
}

/* The answer, or NULL; adds the time that it took, without reading and printing. */
static char *answer(const char *operation, isl_set *a, isl_set *b, long long *time) {
  char *text = NULL;
  long long start = now();
  if (!strcmp(operation, "empty")) {
    text = word_of(isl_set_is_empty(a));
    *time = now() - start;
    isl_set_free(a);
  } else if (!strcmp(operation, "equal") || !strcmp(operation, "subset")) {
    text = word_of(!strcmp(operation, "equal") ? isl_set_is_equal(a, b) : isl_set_is_subset(a, b));
    *time = now() - start;
    isl_set_free(a);
    isl_set_free(b);
  } else if (!strcmp(operation, "lexmin") || !strcmp(operation, "subtract")) {
    isl_set *result = !strcmp(operation, "lexmin") ? lexmin(a) : isl_set_subtract(a, b);
    *time = now() - start;
    if (result != NULL) text = text_of(result);
  } else if (!strcmp(operation, "count")) {
    isl_val *count = isl_set_count_val(a);
    *time = now() - start;
    isl_set_free(a);
    if (count != NULL) text = isl_val_to_str(count);
    isl_val_free(count);
  } else if (!strcmp(operation, "print")) {
    text = text_of(a);
    *time = now() - start;
  }
  return text;
}

/* Answers one line on stdout. */
static void answer_line(isl_ctx *ctx, char *line, int runs) {
  char *operation = strtok(line, "\t");
  char *first = strtok(NULL, "\t");
  char *second = strtok(NULL, "\t");
  long long fastest = -1, fastest_read = -1;
  char *text = NULL;
  int readable = 1;
  for (int run = 0; run < runs; run++) {
    long long time = 0;
    free(text);
    text = NULL;
    long long start = now();
    isl_set *a = first != NULL ? read_set(ctx, first) : NULL;
    isl_set *b = second != NULL ? read_set(ctx, second) : NULL;
    readable = a != NULL && (second == NULL || b != NULL);
    if (!readable) break;
    long long read = now() - start;
    if (fastest_read < 0 || read < fastest_read) fastest_read = read;
    text = answer(operation, a, b, &time);
    if (fastest < 0 || time < fastest) fastest = time;
    if (text == NULL || time > 100000000LL) break;
  }
  const char *result = text != NULL ? text : readable ? "undecided" : "error";
  printf("%s\t%lld\t%lld\n", result, fastest, fastest_read);
  fflush(stdout);
}

/* A process of its own answers each line, and ends after some seconds of work or a GiB: isl has no such limits. */
int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 3;
  int seconds = argc > 2 ? atoi(argv[2]) : 2;
  isl_ctx *ctx = isl_ctx_alloc();
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    line[strcspn(line, "\n")] = 0;
    pid_t child = fork();
    if (child == 0) {
      struct rlimit time = {seconds, seconds}, memory = {1UL << 30, 1UL << 30};
      setrlimit(RLIMIT_CPU, &time);
      setrlimit(RLIMIT_AS, &memory);
      answer_line(ctx, line, runs);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
    if (status != 0) printf("undecided\t-1\t-1\n");
    fflush(stdout);
  }
  free(line);
  isl_ctx_free(ctx);
  return 0;
}
