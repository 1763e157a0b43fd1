// AXI4-Lite front end: turns bus transactions into single-cycle writes and reads.
//
// Latency: a write answers 2 cycles after the later of its address and data, a
// read 3 cycles after its address. Throughput: one write per 2 cycles, one read
// per 3 cycles; reads and writes are independent. Order: one of each at a time.
// Back-pressure: every ready depends on state only.
// Partial writes and unaligned addresses answer SLVERR and go no further.
`default_nettype none

module t3_axil (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic [15:0] awaddr_i,
  input  wire logic        awvalid_i,
  output logic             awready_o,
  input  wire logic [31:0] wdata_i,
  input  wire logic [3:0]  wstrb_i,
  input  wire logic        wvalid_i,
  output logic             wready_o,
  output logic      [1:0]  bresp_o,
  output logic             bvalid_o,
  input  wire logic        bready_i,
  input  wire logic [15:0] araddr_i,
  input  wire logic        arvalid_i,
  output logic             arready_o,
  output logic      [31:0] rdata_o,
  output logic      [1:0]  rresp_o,
  output logic             rvalid_o,
  input  wire logic        rready_i,
  output t3_csr_pkg::req_t bus_o,
  input  wire t3_csr_pkg::rsp_t rsp_i,
  output logic             busy_o
);

  localparam logic [1:0] RespOkay   = 2'b00;
  localparam logic [1:0] RespSlvErr = 2'b10;

  logic        wr_valid, rd_valid;
  logic [15:0] wr_addr_q, rd_addr_q;
  logic [31:0] wr_data_q;
  logic        aw_q, w_q, strb_q;  // strb_q: all bytes are written
  logic        ar_q, wait_q;       // wait_q: the answer comes in this cycle
  logic        take;

  assign awready_o  = ~aw_q;
  assign wready_o   = ~w_q;
  assign take       = aw_q & w_q & ~bvalid_o;
  assign wr_valid = take & strb_q & (wr_addr_q[1:0] == 2'd0);

  assign arready_o  = ~ar_q;
  assign rd_valid = ar_q & ~wait_q & ~rvalid_o;

  assign bus_o  = {wr_valid, wr_addr_q, wr_data_q, rd_valid, rd_addr_q};
  assign busy_o = aw_q | w_q | bvalid_o | ar_q | rvalid_o | awvalid_i | wvalid_i | arvalid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q     <= 1'b0;
      w_q      <= 1'b0;
      bvalid_o <= 1'b0;
    end else begin
      if (awvalid_i && awready_o) aw_q <= 1'b1;
      if (wvalid_i && wready_o) w_q <= 1'b1;
      if (bready_i) bvalid_o <= 1'b0;
      if (take) begin
        aw_q     <= 1'b0;
        w_q      <= 1'b0;
        bvalid_o <= 1'b1;
      end
    end
    if (awvalid_i && awready_o) wr_addr_q <= awaddr_i;
    if (wvalid_i && wready_o) begin
      wr_data_q <= wdata_i;
      strb_q    <= &wstrb_i;
    end
    if (take) bresp_o <= (wr_valid && rsp_i.wr_ok) ? RespOkay : RespSlvErr;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_q     <= 1'b0;
      wait_q   <= 1'b0;
      rvalid_o <= 1'b0;
    end else begin
      wait_q <= rd_valid;
      if (arvalid_i && arready_o) ar_q <= 1'b1;
      if (rready_i) rvalid_o <= 1'b0;
      if (wait_q) begin
        ar_q     <= 1'b0;
        rvalid_o <= 1'b1;
      end
    end
    if (arvalid_i && arready_o) rd_addr_q <= araddr_i;
    if (wait_q) begin
      rdata_o <= rsp_i.rd_data;
      rresp_o <= (rsp_i.rd_ok && rd_addr_q[1:0] == 2'd0) ? RespOkay : RespSlvErr;
    end
  end

  logic unused;
  assign unused = rsp_i.wr_refused;

endmodule

`default_nettype wire
