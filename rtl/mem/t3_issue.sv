// The request that a channel issues to its DRAM queue, from the head that
// t3_mc_arbiter granted. Combinational; t3_top stores it when a grant is given,
// so that the wide multiplexer works only then.
`default_nettype none

module t3_issue #(
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineBits = LineBytes * 8
) (
  input  wire logic [4:0]                gnt_i,    // as t3_mc_arbiter: tracker, compute, incoming, dma, fill
  input  wire logic                      store_i,  // the compute grant goes to the store queue
  input  wire logic [t3_pkg::TagW-1:0]   slot_tag_i,
  input  wire t3_pkg::word_req_t         word_i,
  input  wire t3_pkg::write_t            store_req_i,
  input  wire logic [LineBytes-1:0]      store_strb_i,
  input  wire logic [LineBits-1:0]       store_data_i,
  input  wire logic [t3_pkg::AddrW-1:0]  read_addr_i,
  input  wire logic [t3_pkg::TagW-1:0]   read_id_i,
  input  wire t3_pkg::write_t            in_req_i,
  input  wire logic [LineBytes-1:0]      in_strb_i,
  input  wire logic [LineBits-1:0]       in_data_i,
  input  wire t3_pkg::mem_req_t          dma_req_i,
  input  wire logic [LineBytes-1:0]      dma_strb_i,
  input  wire t3_pkg::mem_req_t          fill_req_i,
  input  wire logic [LineBytes-1:0]      fill_strb_i,
  output t3_pkg::mem_req_t               req_o,
  output logic      [LineBytes-1:0]      strb_o,
  output logic      [LineBits-1:0]       data_o
);

  // A tracker request is one aligned 8-byte word of its line.
  localparam int unsigned WordsW = $clog2(LineBytes) - 3;
  localparam logic [LineBytes-1:0] WordStrb = LineBytes'(8'hff);

  // Bit patterns of -0.0, 4 bytes.
  localparam logic [31:0] MinusZero16 = 32'h8000_8000;
  localparam logic [31:0] MinusZero32 = 32'h8000_0000;

  always_comb begin
    req_o = dma_req_i;
    if (gnt_i[0]) begin
      req_o.cls   = word_i.write ? t3_pkg::ClsTrackWrite : t3_pkg::ClsTrackRead;
      req_o.op    = word_i.write ? t3_pkg::MemStore : t3_pkg::MemRead;
      req_o.fmt   = t3_pkg::FmtFp16;
      req_o.ctx   = '0;
      req_o.count = 1'b0;
      req_o.tag   = t3_pkg::TagW'({word_i.id, word_i.addr[3+:WordsW]});
      req_o.addr  = {word_i.addr[t3_pkg::AddrW-1:WordsW+3], (WordsW + 3)'(0)};
    end else if (gnt_i[1] & store_i) begin
      req_o.cls   = t3_pkg::ClsGemmStore;
      req_o.op    = store_req_i.op;
      req_o.fmt   = store_req_i.fmt;
      req_o.ctx   = store_req_i.ev.sub.ctx;
      req_o.count = store_req_i.count;
      req_o.tag   = slot_tag_i;
      req_o.addr  = store_req_i.addr;
    end else if (gnt_i[1]) begin
      req_o.cls   = t3_pkg::ClsGemmRead;
      req_o.op    = t3_pkg::MemRead;
      req_o.fmt   = t3_pkg::FmtFp16;
      req_o.ctx   = '0;
      req_o.count = 1'b0;
      req_o.tag   = read_id_i;
      req_o.addr  = read_addr_i;
    end else if (gnt_i[2]) begin
      req_o.cls   = t3_pkg::ClsIncoming;
      req_o.op    = in_req_i.op;
      req_o.fmt   = in_req_i.fmt;
      req_o.ctx   = in_req_i.ev.sub.ctx;
      req_o.count = in_req_i.count;
      req_o.tag   = slot_tag_i;
      req_o.addr  = in_req_i.addr;
    end else if (gnt_i[4]) begin
      req_o = fill_req_i;
    end
  end

  assign strb_o = gnt_i[0] ? WordStrb << {word_i.addr[3+:WordsW], 3'b000}
                : gnt_i[1] ? (store_i ? store_strb_i : {LineBytes{1'b1}})
                : gnt_i[2] ? in_strb_i
                : gnt_i[3] ? dma_strb_i
                           : fill_strb_i;
  assign data_o = gnt_i[0] ? {(LineBytes / 8) {word_i.data}}
                : gnt_i[1] ? store_data_i
                : gnt_i[2] ? in_data_i
                : {(LineBytes / 4) {(fill_req_i.fmt == t3_pkg::FmtFp32) ? MinusZero32 : MinusZero16}};

endmodule

`default_nettype wire
