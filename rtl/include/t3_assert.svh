// One way to state a property, with a back end for each tool:
// - in simulation an immediate assertion at the clock edge, on in the shipped
//   program (a concurrent one would copy what it samples, every cycle);
// - for formal proofs (Yosys) an immediate assertion;
// - for synthesis and other tools nothing.
// `T3_ASSERT(Label, condition)` must hold at every rising clk_i outside reset;
// `T3_ASSUME` is the same, but an assumption for the formal tools.
`ifndef T3_ASSERT_SVH
`define T3_ASSERT_SVH

`ifdef VERILATOR
`define T3_ASSERT(label, cond) \
  always_ff @(posedge clk_i) if (rst_ni) label: assert (cond);
`define T3_ASSUME(label, cond) `T3_ASSERT(label, cond)
`elsif FORMAL
`define T3_ASSERT(label, cond) always @* if (rst_ni) label: assert (cond);
`define T3_ASSUME(label, cond) always @* if (rst_ni) label: assume (cond);
`else
`define T3_ASSERT(label, cond)
`define T3_ASSUME(label, cond)
`endif

`endif
