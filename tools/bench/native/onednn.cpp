/* oneDNN: input and output as NCHW; filters in the layout that it likes, made once where they are bound. Compiled with
 * -DOWN_LAYOUTS, input and output too are in layouts that it likes, which it is handed for free. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <dnnl.hpp>
#include "convolution.h"

using namespace dnnl;
using tag = memory::format_tag;

static engine &cpu() {
  static engine one(engine::kind::cpu, 0);
  return one;
}

static const char *isa_name(cpu_isa isa) {
  switch (isa) {
  case cpu_isa::sse41: return "SSE4.1";
  case cpu_isa::avx: return "AVX";
  case cpu_isa::avx2: return "AVX2";
  case cpu_isa::avx2_vnni: return "AVX2 and VNNI";
  case cpu_isa::avx512_core: return "AVX-512";
  case cpu_isa::avx512_core_vnni: return "AVX-512 and VNNI";
  case cpu_isa::avx512_core_bf16: return "AVX-512 and BF16";
  case cpu_isa::avx512_core_amx: return "AVX-512 and AMX";
  default: return "another instruction set";
  }
}

const char *peer_version() {
  static std::string text;
  const version_t *v = version();
  text = std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch) + ", " +
         isa_name(get_effective_cpu_isa());
  return text.c_str();
}

namespace {
/* A buffer in memory of `buffer_of`. */
struct buffer {
  std::unique_ptr<float, decltype(&std::free)> values{nullptr, std::free};
  memory content;
  buffer() = default;
  explicit buffer(const memory::desc &layout)
      : values(buffer_of(layout.get_size()), std::free), content(layout, cpu(), values.get()) {}
};

struct plan {
  stream queue{cpu()};
  convolution_forward run;
  reorder pack;
  buffer input, given, filters, output;
  bool bound;
  size_t outputs;
};

buffer copied(const memory::desc &plain, const memory::desc &wanted, const float *values, stream &queue) {
  memory from(plain, cpu(), const_cast<float *>(values));
  buffer to(wanted);
  reorder(from, to.content).execute(queue, from, to.content);
  queue.wait();
  return to;
}
} // namespace

void *peer_prepare(const convolution *s, const float *input, const float *filters) try {
  const auto f32 = memory::data_type::f32;
  const memory::dims in{s->batch, s->channels, s->height, s->width};
  const memory::dims weights{s->filters, s->channels, s->filter_height, s->filter_width};
  const memory::dims out{s->batch, s->filters, s->output_height, s->output_width};
#ifdef OWN_LAYOUTS
  const auto layout = tag::any;
#else
  const auto layout = tag::nchw;
#endif
  convolution_forward::desc wanted(prop_kind::forward_inference, algorithm::convolution_direct,
                                   memory::desc(in, f32, layout), memory::desc(weights, f32, tag::any),
                                   memory::desc(out, f32, layout), {s->stride_h, s->stride_w},
                                   {s->dilation_h - 1, s->dilation_w - 1}, {s->top, s->left},
                                   {s->bottom, s->right});
  convolution_forward::primitive_desc chosen(wanted, cpu());
  auto made = std::make_unique<plan>();
  made->run = convolution_forward(chosen);
  made->input = copied({in, f32, tag::nchw}, chosen.src_desc(), input, made->queue);
  made->given = copied({weights, f32, tag::oihw}, {weights, f32, tag::oihw}, filters, made->queue);
  made->filters = copied({weights, f32, tag::oihw}, chosen.weights_desc(), filters, made->queue);
  made->pack = reorder(made->given.content, made->filters.content);
  made->output = buffer(chosen.dst_desc());
  made->bound = s->bound != 0;
  made->outputs = (size_t)s->batch * s->filters * s->output_height * s->output_width;
  return made.release();
} catch (const error &) {
  return nullptr;
}

void peer_run(void *prepared) {
  plan &p = *static_cast<plan *>(prepared);
  if (!p.bound) p.pack.execute(p.queue, p.given.content, p.filters.content);
  p.run.execute(p.queue, {{DNNL_ARG_SRC, p.input.content},
                           {DNNL_ARG_WEIGHTS, p.filters.content},
                           {DNNL_ARG_DST, p.output.content}});
  p.queue.wait();
}

void peer_output(void *prepared, float *out) {
  plan &p = *static_cast<plan *>(prepared);
  const memory::desc from = p.output.content.get_desc();
  memory to({from.dims(), memory::data_type::f32, tag::nchw}, cpu(), out);
  reorder(p.output.content, to).execute(p.queue, p.output.content, to);
  p.queue.wait();
}

void peer_dispose(void *prepared) { delete static_cast<plan *>(prepared); }
