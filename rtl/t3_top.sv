// T3 of one device: tracks the elements that arrive in an output buffer, adds
// updates beside memory, and sends each subtile on when it is complete.
//
// Every port has a rising-edge clock clk_i and a synchronous reset rst_ni (low,
// at least 2 cycles). Vectors are flat: element e of a port of width W is
// [e*W +: W]; channel, lane and link number e counts from 0. Lane l of link k is
// lane k * LinkLines + l.
//
// Ordering: accesses to one line keep their order within a traffic class.
// Back-pressure: every ready is a function of state only, except tx_ready_i and
// ctl_ready_i, which the fabric drives. docs/interfaces.md has the timing.
`default_nettype none

module t3_top #(
  parameter int unsigned NumChannels  = 16,   // memory channels: 1, 2, 4, 8, 16
  parameter int unsigned LineBytes    = 64,   // one access: 64, 128
  parameter int unsigned TrackerSets  = 256,  // over all banks
  parameter int unsigned TrackerWays  = 8,
  parameter int unsigned TrackerBanks = 8,
  parameter int unsigned Chunks       = 512,  // per context
  parameter int unsigned Links        = 1,    // 1 or 2
  parameter int unsigned LinkLines    = 1,    // lines per cycle and link: 1, 2, 4, 8
  parameter int unsigned LinkCredits  = 2048, // lines buffered per lane
  parameter int unsigned Devices      = 64,   // devices that credits and sequence numbers are kept for
  parameter int unsigned QueueDepth   = 16,   // compute, incoming and egress queues of a channel, lines
  parameter int unsigned EventSlots   = 64,   // counted writes in flight per channel
  parameter int unsigned DmaSlots     = 32,   // triggered reads in flight per channel
  parameter int unsigned ReadyDepth   = 16,   // ready subtiles on chip per context
  localparam int unsigned LineBits = LineBytes * 8,
  localparam int unsigned NumLanes = Links * LinkLines
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  // Registers: AXI4-Lite, 32-bit data. See docs/registers.md.
  input  wire logic [15:0] axil_awaddr_i,
  input  wire logic        axil_awvalid_i,
  output logic             axil_awready_o,
  input  wire logic [31:0] axil_wdata_i,
  input  wire logic [3:0]  axil_wstrb_i,
  input  wire logic        axil_wvalid_i,
  output logic             axil_wready_o,
  output logic      [1:0]  axil_bresp_o,
  output logic             axil_bvalid_o,
  input  wire logic        axil_bready_i,
  input  wire logic [15:0] axil_araddr_i,
  input  wire logic        axil_arvalid_i,
  output logic             axil_arready_o,
  output logic      [31:0] axil_rdata_o,
  output logic      [1:0]  axil_rresp_o,
  output logic             axil_rvalid_o,
  input  wire logic        axil_rready_i,
  output logic             irq_o,   // an enabled, sticky event is pending
  output logic             idle_o,  // nothing in progress: state changes only after a new input

  // Stores of the GEMM, one port per channel. The accelerator's interconnect
  // sends an access to channel t3_pkg::channel_of(address).
  input  wire logic [NumChannels-1:0]                     st_valid_i,
  output logic      [NumChannels-1:0]                     st_ready_o,
  input  wire logic [NumChannels-1:0]                     st_tracked_i,  // 0: ordinary store, ids ignored
  input  wire logic [NumChannels*t3_pkg::SubtileBits-1:0] st_sub_i,      // t3_pkg::subtile_t
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0]       st_addr_i,     // line address
  input  wire logic [NumChannels*LineBytes-1:0]           st_strb_i,
  input  wire logic [NumChannels*LineBits-1:0]            st_data_i,

  // Reads of the GEMM: requests only, the data stays outside.
  input  wire logic [NumChannels-1:0]               rd_valid_i,
  output logic      [NumChannels-1:0]               rd_ready_o,
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0] rd_addr_i,  // line address
  input  wire logic [NumChannels*t3_pkg::TagW-1:0]  rd_id_i,    // comes back as the request's tag

  // Requests to the DRAM channels.
  output logic      [NumChannels-1:0]                    dram_valid_o,
  input  wire logic [NumChannels-1:0]                    dram_ready_i,
  output logic      [NumChannels*t3_pkg::MemReqBits-1:0] dram_req_o,  // t3_pkg::mem_req_t
  output logic      [NumChannels*LineBytes-1:0]          dram_strb_o,
  output logic      [NumChannels*LineBits-1:0]           dram_data_o, // of writes
  input  wire logic [NumChannels*8-1:0]                  dram_occupancy_i,  // requests queued in the channel

  // Answers to reads of classes ClsDmaRead and ClsTrackRead, in any order; no back-pressure.
  input  wire logic [NumChannels-1:0]              rsp_valid_i,
  input  wire logic [NumChannels-1:0]              rsp_track_i,  // 1: class ClsTrackRead
  input  wire logic [NumChannels*t3_pkg::TagW-1:0] rsp_tag_i,
  input  wire logic [NumChannels*LineBits-1:0]     rsp_data_i,

  // Near-memory compute: every write, when the channel performs it; nmc_old_i
  // is the line in memory at that moment. The result comes back after a fixed
  // latency; reads of a line must wait for writes of it that are under way.
  input  wire logic [NumChannels-1:0]                    nmc_valid_i,
  output logic      [NumChannels-1:0]                    nmc_ready_o,
  input  wire logic [NumChannels*t3_pkg::MemReqBits-1:0] nmc_req_i,
  input  wire logic [NumChannels*LineBytes-1:0]          nmc_strb_i,
  input  wire logic [NumChannels*LineBits-1:0]           nmc_data_i,
  input  wire logic [NumChannels*LineBits-1:0]           nmc_old_i,
  output logic      [NumChannels-1:0]                    wb_valid_o,
  output logic      [NumChannels*t3_pkg::MemReqBits-1:0] wb_req_o,
  output logic      [NumChannels*LineBytes-1:0]          wb_strb_o,
  output logic      [NumChannels*LineBits-1:0]           wb_data_o,

  // Links: data packets (header t3_pkg::packet_t) and control packets
  // (t3_pkg::ctl_t). Receivers are never held back: credits guarantee room.
  output logic      [NumLanes-1:0]                    tx_valid_o,
  input  wire logic [NumLanes-1:0]                    tx_ready_i,
  output logic      [NumLanes*t3_pkg::PacketBits-1:0] tx_packet_o,
  output logic      [NumLanes*LineBytes-1:0]          tx_strb_o,
  output logic      [NumLanes*LineBits-1:0]           tx_data_o,
  input  wire logic [NumLanes-1:0]                    rx_valid_i,
  input  wire logic [NumLanes*t3_pkg::PacketBits-1:0] rx_packet_i,
  input  wire logic [NumLanes*LineBytes-1:0]          rx_strb_i,
  input  wire logic [NumLanes*LineBits-1:0]           rx_data_i,
  output logic      [NumLanes-1:0]                    ctl_valid_o,
  input  wire logic [NumLanes-1:0]                    ctl_ready_i,
  output logic      [NumLanes*t3_pkg::CtlBits-1:0]    ctl_o,
  input  wire logic [NumLanes-1:0]                    ctl_valid_i,
  input  wire logic [NumLanes*t3_pkg::CtlBits-1:0]    ctl_i
);

endmodule

`default_nettype wire
