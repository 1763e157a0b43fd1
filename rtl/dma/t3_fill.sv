// Fills the part of a matrix that lives in one channel with -0.0: walks the
// channel's lines and writes the bytes that lie in a row; padding between rows is
// never touched. The data is made where the request is issued (t3_issue).
//
// Address space is cut into super-blocks of one interleave block per channel; in
// super-block s this channel owns block (channel_i XOR fold(s)), see channel_of.
//
// Latency: 2 cycles to the first request. Throughput: one line per cycle, one idle
// cycle per block without bytes of the row and per row. Back-pressure: waits for
// ready_i with a registered request.
`include "t3_assert.svh"
`default_nettype none

module t3_fill #(
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned NumChannels = 16
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic [3:0]           channel_i,  // its number, constant
  input  wire logic                 start_i,  // only while busy_o is low
  input  wire t3_pkg::fill_t        fill_i,
  output logic                      valid_o,
  input  wire logic                 ready_i,
  output t3_pkg::mem_req_t          req_o,
  output logic      [LineBytes-1:0] strb_o,
  output logic                      busy_o    // until the last request was taken
);

  localparam int unsigned AddrW     = t3_pkg::AddrW;
  localparam int unsigned BlockW    = t3_pkg::InterleaveW;
  localparam int unsigned ChannelW  = $clog2(NumChannels);
  localparam int unsigned SuperW    = BlockW + ChannelW;  // address bits below the super-block
  localparam int unsigned LineW     = $clog2(LineBytes);

  logic                  walking_q;
  t3_pkg::fill_t         fill_q;
  logic [t3_pkg::DimW-1:0] rows_q;       // rows left, the present one included
  logic [AddrW-1:0]      start_q, end_q; // bytes of the present row: [start, end)
  logic [AddrW-1:0]      line_q;         // next line to look at
  logic                  enter_q;        // line_q is to be set to the row's first block

  function automatic logic [AddrW-1:0] block_of(input logic [AddrW-SuperW-1:0] super_block);
    logic [7:0] fold;
    fold     = t3_pkg::channel_of({super_block, ChannelW'(0)}, ChannelW) ^ 8'(channel_i);
    block_of = {super_block, SuperW'(0)} | (AddrW'(fold) << BlockW);
  endfunction

  assign busy_o = walking_q | valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walking_q <= 1'b0;
      valid_o   <= 1'b0;
    end else begin
      if (ready_i) valid_o <= 1'b0;
      if (start_i) begin
        walking_q <= fill_i.rows != '0 && fill_i.row_bytes != '0;
        fill_q    <= fill_i;
        rows_q    <= fill_i.rows;
        start_q   <= fill_i.base;
        end_q     <= fill_i.base + fill_i.row_bytes;
        enter_q   <= 1'b1;
      end else if (walking_q && (!valid_o || ready_i)) begin
        if (enter_q) begin
          line_q  <= block_of(start_q[AddrW-1:SuperW]);
          enter_q <= 1'b0;
        end else if (line_q >= end_q) begin
          // Past the row.
          rows_q    <= rows_q - t3_pkg::DimW'(1);
          start_q   <= start_q + AddrW'(fill_q.pitch);
          end_q     <= end_q + AddrW'(fill_q.pitch);
          enter_q   <= 1'b1;
          walking_q <= rows_q != t3_pkg::DimW'(1);
        end else begin
          logic             inside_row, block_done;
          logic [AddrW-1:0] stop;
          stop       = line_q + AddrW'(LineBytes);
          inside_row = stop > start_q;
          block_done = &line_q[BlockW-1:LineW] || line_q[BlockW-1:0] + BlockW'(LineBytes) == '0;
          if (inside_row) begin
            valid_o    <= 1'b1;
            req_o.addr <= line_q;
            strb_o     <= ((start_q > line_q) ? {LineBytes{1'b1}} << start_q[LineW-1:0]
                                              : {LineBytes{1'b1}}) &
                          ((end_q < stop) ? ~({LineBytes{1'b1}} << end_q[LineW-1:0])
                                          : {LineBytes{1'b1}});
          end
          // The next line, or the first line of the next super-block's block; a
          // block that ends before the row is skipped at once.
          if (block_done || {line_q[AddrW-1:BlockW], {BlockW{1'b1}}} < start_q)
            line_q <= block_of(line_q[AddrW-1:SuperW] + (AddrW - SuperW)'(1));
          else line_q <= stop;
        end
      end
    end
    if (start_i) begin
      req_o.cls   <= t3_pkg::ClsFill;
      req_o.op    <= t3_pkg::MemStore;
      req_o.fmt   <= fill_i.fmt;
      req_o.ctx   <= fill_i.ctx;
      req_o.count <= 1'b0;
      req_o.tag   <= '0;
    end
  end

  `T3_ASSERT(StartWhenIdle, !start_i || !busy_o)

  logic unused;
  assign unused = ^fill_q;

endmodule

`default_nettype wire
