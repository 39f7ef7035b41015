/* im2col and one sgemm an image: outputs[F][OH*OW] = filters[F][C*FH*FW] * columns[C*FH*FW][OH*OW]. A 1x1 convolution without
 * strides and padding needs no columns. sgemm packs both operands in each call: it has no interface for packed ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "convolution.h"

enum { row_major = 101, no_transposition = 111 };
void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
char *openblas_get_corename(void);
char *openblas_get_config(void);
void openblas_set_num_threads(int);

struct plan {
  struct convolution shape;
  float *input, *filters, *output, *columns;
};

static float *floats(size_t count) { return buffer_of(count * sizeof(float)); }

static size_t windows_of(const struct convolution *s) { return (size_t)s->output_height * s->output_width; }
static size_t steps_of(const struct convolution *s) {
  return (size_t)s->channels * s->filter_height * s->filter_width;
}
static size_t image_of(const struct convolution *s) { return (size_t)s->channels * s->height * s->width; }

const char *peer_version(void) {
  static char text[128];
  char version[32] = "of unknown version";
  sscanf(openblas_get_config(), "OpenBLAS %31s", version);
  snprintf(text, sizeof text, "%s, core %s", version, openblas_get_corename());
  return text;
}

void *peer_prepare(const struct convolution *shape, const float *input, const float *filters) {
  const struct convolution *s = shape;
  openblas_set_num_threads(1);
  struct plan *plan = malloc(sizeof *plan);
  size_t inputs = s->batch * image_of(s), weights = s->filters * steps_of(s);
  int in_place = s->filter_height == 1 && s->filter_width == 1 && s->stride_h == 1 && s->stride_w == 1 &&
                 s->top + s->bottom + s->left + s->right == 0;
  plan->shape = *shape;
  plan->input = floats(inputs);
  plan->filters = floats(weights);
  plan->output = floats(s->batch * s->filters * windows_of(s));
  plan->columns = in_place ? NULL : floats(steps_of(s) * windows_of(s));
  memcpy(plan->input, input, inputs * sizeof(float));
  memcpy(plan->filters, filters, weights * sizeof(float));
  return plan;
}

/* A row of the image as the windows of one tap see it. */
static void copy_row(const struct convolution *s, const float *row, int first, float *out) {
  int stride = s->stride_w, count = s->output_width;
  int begin = first < 0 ? (-first + stride - 1) / stride : 0;
  int end = first >= s->width ? 0 : (s->width - 1 - first) / stride + 1;
  if (end > count) end = count;
  if (begin > end) begin = end;
  memset(out, 0, begin * sizeof(float));
  if (stride == 1) memcpy(out + begin, row + first + begin, (end - begin) * sizeof(float));
  else
    for (int i = begin; i < end; i++) out[i] = row[first + i * stride];
  memset(out + end, 0, (count - end) * sizeof(float));
}

static void fill_columns(const struct convolution *s, const float *image, float *out) {
  for (int c = 0; c < s->channels; c++)
    for (int y = 0; y < s->filter_height; y++)
      for (int x = 0; x < s->filter_width; x++)
        for (int oy = 0; oy < s->output_height; oy++, out += s->output_width) {
          int row = oy * s->stride_h - s->top + y * s->dilation_h;
          if (row < 0 || row >= s->height) memset(out, 0, s->output_width * sizeof(float));
          else copy_row(s, image + ((size_t)c * s->height + row) * s->width, x * s->dilation_w - s->left, out);
        }
}

void peer_run(void *prepared) {
  struct plan *plan = prepared;
  const struct convolution *s = &plan->shape;
  int m = s->filters, n = (int)windows_of(s), k = (int)steps_of(s);
  for (int image = 0; image < s->batch; image++) {
    const float *columns = plan->input + image * image_of(s);
    if (plan->columns != NULL) {
      fill_columns(s, columns, plan->columns);
      columns = plan->columns;
    }
    float *out = plan->output + (size_t)image * m * n;
    cblas_sgemm(row_major, no_transposition, no_transposition, m, n, k, 1, plan->filters, k, columns, n, 0, out, n);
  }
}

void peer_output(void *prepared, float *out) {
  struct plan *plan = prepared;
  const struct convolution *s = &plan->shape;
  memcpy(out, plan->output, s->batch * s->filters * windows_of(s) * sizeof(float));
}

void peer_dispose(void *prepared) {
  struct plan *plan = prepared;
  free(plan->input);
  free(plan->filters);
  free(plan->output);
  free(plan->columns);
  free(plan);
}

/* c[m][n] += a[m][k] * b[k][n], so many times: a call through a foreign interface takes as long as a small product. */
void peer_repeat_product(int times, int m, int n, int k, const float *a, const float *b, float *c) {
  openblas_set_num_threads(1);
  for (int i = 0; i < times; i += 1)
    cblas_sgemm(row_major, no_transposition, no_transposition, m, n, k, 1, a, k, b, n, 1, c, n);
}
