// The kernel dialect for mlir-opt: --irdl-file=kernel.irdl.mlir
irdl.dialect @kernel {
  irdl.operation @microkernel {
    %windows = irdl.base "!builtin.memref"
    %filters = irdl.base "!builtin.memref"
    %output = irdl.base "!builtin.memref"
    %start = irdl.any
    %condition = irdl.is i1
    irdl.operands(%windows, %filters, %output, optional %start, optional %condition)
  }
  irdl.operation @contract {
    %input = irdl.base "!builtin.memref"
    %filters = irdl.base "!builtin.memref"
    %output = irdl.base "!builtin.memref"
    %start = irdl.any
    %condition = irdl.is i1
    irdl.operands(%input, %filters, %output, optional %start, optional %condition)
    %maps = irdl.any
    %lanes = irdl.any
    irdl.attributes {"maps" = %maps, "lanes" = %lanes}
  }
  irdl.operation @pack {
    %source = irdl.base "!builtin.memref"
    %target = irdl.base "!builtin.memref"
    %outer = irdl.is index
    %zero_points = irdl.any
    %padding = irdl.any
    irdl.operands(%source, %target, variadic %outer, variadic %zero_points, optional %padding)
    %map = irdl.any
    irdl.attributes {"map" = %map}
  }
}
