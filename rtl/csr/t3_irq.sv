// Sticky events, their enables, and the interrupt line.
//
// Latency: an event shows in IRQ_STATUS in the next cycle and on irq_o one cycle
// later. An event in the cycle in which its bit is cleared stays set.
// Bus: writes answer in the same cycle, reads in the next. No back-pressure.
`default_nettype none

module t3_irq #(
  parameter int unsigned Width = 13
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [Width-1:0] set_i,
  output logic                  irq_o,
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  logic        wr_ok, rd_ok;
  logic [31:0] rd_data;

  assign bus_o = {wr_ok, 1'b0, rd_ok, rd_data};

  localparam logic [15:0] AddrStatus = {8'd0, t3_csr_pkg::OffIrqStatus};
  localparam logic [15:0] AddrEnable = {8'd0, t3_csr_pkg::OffIrqEnable};

  logic [Width-1:0] status_q, enable_q;
  logic             wr_status, wr_enable;

  assign wr_status = bus_i.wr_valid & (bus_i.wr_addr == AddrStatus);
  assign wr_enable = bus_i.wr_valid & (bus_i.wr_addr == AddrEnable);
  assign wr_ok   = wr_status | wr_enable;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      status_q <= '0;
      enable_q <= '0;
      irq_o    <= 1'b0;
    end else begin
      status_q <= (status_q & ~(bus_i.wr_data[Width-1:0] & {Width{wr_status}})) | set_i;
      if (wr_enable) enable_q <= bus_i.wr_data[Width-1:0];
      irq_o <= |(status_q & enable_q);
    end
    if (bus_i.rd_valid) begin
      rd_ok   <= bus_i.rd_addr == AddrStatus || bus_i.rd_addr == AddrEnable;
      rd_data <= (bus_i.rd_addr == AddrStatus) ? 32'(status_q) :
                   (bus_i.rd_addr == AddrEnable) ? 32'(enable_q) : 32'd0;
    end
  end

  logic unused;
  assign unused = ^bus_i.wr_data[31:Width];

endmodule

`default_nettype wire
