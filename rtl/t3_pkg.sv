// Types and constants that every module of T3 shares.
//
// Sizes that an integrator may change (channels, line bytes, tracker geometry,
// queue depths, links) are parameters of t3_top. Field widths are fixed here:
// they are part of the packet and register formats.
package t3_pkg;

  // Field widths.
  localparam int unsigned AddrW   = 40;  // byte address
  localparam int unsigned DeviceW = 6;   // up to 64 devices
  localparam int unsigned CtxW    = 2;   // up to 4 contexts
  localparam int unsigned NumCtx  = 4;
  localparam int unsigned ChunkW  = 9;   // up to 512 chunks per context
  localparam int unsigned GridW   = 16;  // workgroup x, y
  localparam int unsigned WfW     = 5;   // up to 32 wavefronts per workgroup
  localparam int unsigned TileW   = 24;  // linear tile index
  localparam int unsigned SubW    = 24;  // linear subtile index: tile * wavefronts + wavefront
  localparam int unsigned CountW  = 24;  // elements counted of one subtile
  localparam int unsigned TotalW  = 40;  // elements counted of one context
  localparam int unsigned EpochW  = 40;
  localparam int unsigned DimW    = 24;  // rows or columns of the output, elements
  localparam int unsigned TileDimW = 12; // rows or columns of a tile, elements
  localparam int unsigned PitchW  = 32;  // bytes from row to row
  localparam int unsigned ExpectW = 8;   // updates per element
  localparam int unsigned ElemsW  = 16;  // elements of one (merged) count event
  localparam int unsigned CrcW    = 16;
  localparam int unsigned SeqW    = 16;
  localparam int unsigned TagW    = 16;  // of a DRAM request
  localparam int unsigned WordW   = 64;  // count word {epoch, count}; ready-ring word
  localparam int unsigned CreditW = 12;  // credits, 0..2048

  // Memory channels are interleaved by blocks of this many bytes; the block
  // index is folded by XOR over all upper address bits, so that no pitch maps a
  // column of tiles to one channel.
  localparam int unsigned InterleaveW = 8;  // 256 bytes

  // Kind of a write access.
  typedef enum logic {
    OpStore  = 1'b0,  // memory := data
    OpUpdate = 1'b1   // memory := memory + data
  } op_e;

  // Number format of a context's buffer.
  typedef enum logic [1:0] {
    FmtFp16 = 2'd0,
    FmtBf16 = 2'd1,
    FmtFp32 = 2'd2
  } fmt_e;

  // What happens when a subtile is complete. In a chunk that expects nothing it
  // is the access kind of a chunk sent on command.
  typedef enum logic [1:0] {
    ActNone      = 2'd0,
    ActDmaUpdate = 2'd1,
    ActDmaStore  = 2'd2
  } action_e;

  // Traffic class of a request to a memory channel.
  typedef enum logic [2:0] {
    ClsGemmRead  = 3'd0,
    ClsGemmStore = 3'd1,
    ClsIncoming  = 3'd2,
    ClsDmaRead   = 3'd3,
    ClsFill      = 3'd4,
    ClsTrackRead = 3'd5,
    ClsTrackWrite = 3'd6
  } cls_e;

  // Access kind at a memory channel.
  typedef enum logic [1:0] {
    MemRead   = 2'd0,
    MemStore  = 2'd1,
    MemUpdate = 2'd2
  } mem_op_e;

  // Arbitration between compute and communication (t3_mc_arbiter).
  typedef enum logic [1:0] {
    PolRoundRobin   = 2'd0,
    PolComputeFirst = 2'd1,
    PolMca          = 2'd2
  } policy_e;

  // Why an access was refused or a context failed; captured in ERROR_CAUSE.
  typedef enum logic [3:0] {
    ErrNone       = 4'd0,
    ErrCtxDead    = 4'd1,   // context not live (or, for the kernel's stores, not launched)
    ErrEpoch      = 4'd2,   // stale or future epoch: logged and dropped, the live context goes on
    ErrGrid       = 4'd3,   // workgroup or wavefront outside the grid
    ErrChunk      = 4'd4,   // chunk not configured, or tile not in the chunk
    ErrAddress    = 4'd5,   // bytes outside the subtile's first and last byte
    ErrStrobe     = 4'd6,   // strobes empty or cut an element
    ErrUnexpected = 4'd7,   // entry expects no arrival, or the other op, or the format differs
    ErrCrc        = 4'd8,   // packet or control packet with a wrong CRC
    ErrSequence   = 4'd9,   // packet lost or repeated
    ErrExcess     = 4'd10,  // more updates than expected
    ErrCredit     = 4'd11   // more credits returned than sent
  } err_e;

  // Names one subtile. Ids are places in the output grid, equal on all devices.
  typedef struct packed {
    logic [CtxW-1:0]   ctx;
    logic [ChunkW-1:0] chunk;
    logic [GridW-1:0]  wgx;
    logic [GridW-1:0]  wgy;
    logic [WfW-1:0]    wf;
  } subtile_t;
  localparam int unsigned SubtileBits = CtxW + ChunkW + 2 * GridW + WfW;  // 48

  // One entry of the chunk table.
  typedef struct packed {
    logic               valid;        // configured
    logic               remote;       // the kernel's stores go straight to `dst`
    logic               op;           // op_e of the kernel's stores and of arrivals
    logic               link;         // which link sends
    logic               notify;       // completion counts in CTX_NOTIFIED
    logic [1:0]         action;       // action_e
    logic [ExpectW-1:0] expected;     // updates per element until complete; 0: no arrival is expected
    logic [DeviceW-1:0] dst;          // destination device
    logic [CtxW-1:0]    dst_ctx;      // context there
    logic [AddrW-1:0]   remote_base;  // base of the peer's whole buffer
    logic [TileW-1:0]   first_tile;
    logic [TileW-1:0]   num_tiles;
  } chunk_t;
  localparam int unsigned ChunkBits =
      7 + ExpectW + DeviceW + CtxW + AddrW + 2 * TileW;  // 111

  // Geometry and state of one context, as t3_csr presents it.
  typedef struct packed {
    logic                live;         // configured; arrivals are accepted
    logic                launched;     // the kernel's stores and triggered DMA are accepted
    logic [EpochW-1:0]   epoch;
    logic [1:0]          fmt;          // fmt_e
    logic                col_major;    // linear tile index runs down columns first
    logic [AddrW-1:0]    base;         // of element (0, 0); aligned to the element
    logic [PitchW-1:0]   pitch;        // bytes, aligned to the element
    logic [DimW-1:0]     rows;         // M
    logic [DimW-1:0]     cols;         // N_out
    logic [TileDimW-1:0] tile_m;
    logic [TileDimW-1:0] tile_n;
    logic [TileDimW-1:0] wf_rows;      // rows of a subtile: tile_m / wavefronts
    logic [WfW:0]        wavefronts;   // per workgroup, 1..32
    logic [GridW-1:0]    grid_x;       // ceil(cols / tile_n)
    logic [GridW-1:0]    grid_y;       // ceil(rows / tile_m)
    logic [AddrW-1:0]    count_base;   // of the count words, 8 bytes per subtile
    logic [AddrW-1:0]    ring_base;    // of the ready ring, 8 bytes per subtile
  } ctx_cfg_t;
  localparam int unsigned CtxCfgBits =
      2 + EpochW + 2 + 1 + 3 * AddrW + PitchW + 2 * DimW + 3 * TileDimW + (WfW + 1) + 2 * GridW;
  // Places of fields that are selected from the flat vector of all contexts.
  localparam int unsigned CfgLaunchedLsb  = CtxCfgBits - 2;
  localparam int unsigned CfgEpochLsb     = CtxCfgBits - 2 - EpochW;
  localparam int unsigned CfgFmtLsb       = CfgEpochLsb - 2;
  localparam int unsigned CfgColMajorLsb  = CfgFmtLsb - 1;
  localparam int unsigned CfgGridXLsb     = 2 * AddrW + GridW;
  localparam int unsigned CfgGridYLsb     = 2 * AddrW;
  localparam int unsigned CfgWavefrontLsb = 2 * AddrW + 2 * GridW;
  localparam int unsigned CfgCountBaseLsb = AddrW;
  localparam int unsigned CfgRingBaseLsb  = 0;

  // Header of a data packet; strobes and line travel beside it. The CRC covers
  // {header without crc, strobes, data}.
  typedef struct packed {
    logic [CrcW-1:0]    crc;
    logic [SeqW-1:0]    seq;    // per destination, counted by the sender from 0
    logic [DeviceW-1:0] src;
    logic [DeviceW-1:0] dst;
    logic [EpochW-1:0]  epoch;  // of the destination context
    logic               op;     // op_e
    logic [1:0]         fmt;    // fmt_e
    logic [AddrW-1:0]   addr;   // line address at the receiver
    subtile_t           sub;    // sub.ctx is the destination context
  } packet_t;
  localparam int unsigned PacketBits =
      CrcW + SeqW + 2 * DeviceW + EpochW + 3 + AddrW + SubtileBits;

  // Control packet: a grant or returned credits.
  typedef struct packed {
    logic [CrcW-1:0]    crc;    // over the rest
    logic               grant;  // 1: grant of (ctx, epoch); 0: `count` credits
    logic [DeviceW-1:0] src;
    logic [DeviceW-1:0] dst;
    logic [CtxW-1:0]    ctx;    // context of the device that grants
    logic [EpochW-1:0]  epoch;
    logic [CreditW-1:0] count;
  } ctl_t;
  localparam int unsigned CtlBits = CrcW + 1 + 2 * DeviceW + CtxW + EpochW + CreditW;

  // Count event: `elems` elements of one subtile are in memory.
  typedef struct packed {
    subtile_t           sub;
    logic [SubW-1:0]    index;     // linear subtile index
    logic [CountW-1:0]  expected;  // elements until complete
    logic [1:0]         action;    // action_e
    logic               notify;
    logic [ElemsW-1:0]  elems;
  } event_t;
  localparam int unsigned EventBits = SubtileBits + SubW + CountW + 3 + ElemsW;

  // A subtile that is ready to be sent.
  typedef struct packed {
    subtile_t sub;
    logic     op;  // op_e of the packets
  } ready_t;
  localparam int unsigned ReadyBits = SubtileBits + 1;

  // Header of a write that waits in a channel's queue.
  typedef struct packed {
    logic             count;  // makes a count event when written back
    event_t           ev;     // also names the context of an uncounted write
    logic [1:0]       op;     // mem_op_e
    logic [1:0]       fmt;    // fmt_e
    logic [AddrW-1:0] addr;   // line address
  } write_t;
  localparam int unsigned WriteBits = 1 + EventBits + 4 + AddrW;

  // Request to a memory channel; strobes and line travel beside it.
  typedef struct packed {
    logic [2:0]       cls;   // cls_e
    logic [1:0]       op;    // mem_op_e
    logic [1:0]       fmt;   // fmt_e
    logic [CtxW-1:0]  ctx;   // for accounting
    logic             count; // a write that makes a count event; tag is its slot
    logic [TagW-1:0]  tag;
    logic [AddrW-1:0] addr;  // line address
  } mem_req_t;
  localparam int unsigned MemReqBits = 3 + 2 + 2 + CtxW + 1 + TagW + AddrW;

  // What t3_mc_arbiter is programmed with.
  typedef struct packed {
    logic [1:0]  policy;          // policy_e
    logic [7:0]  threshold;       // MCA: communication enters below this occupancy; 255: always
    logic [15:0] limit_incoming;  // starvation limits, cycles
    logic [15:0] limit_dma;
    logic [15:0] limit_fill;
    logic [7:0]  queue_entries;   // of the DRAM channel's queue
  } arb_cfg_t;

  // Fill of one matrix with -0.0: rows of row_bytes, pitch apart.
  typedef struct packed {
    logic [AddrW-1:0]  base;
    logic [PitchW-1:0] pitch;
    logic [DimW-1:0]   rows;
    logic [AddrW-1:0]  row_bytes;
    logic [1:0]        fmt;  // fmt_e
    logic [CtxW-1:0]   ctx;
  } fill_t;
  localparam int unsigned FillBits = 2 * AddrW + PitchW + DimW + 2 + CtxW;

  // One line of a triggered DMA, from t3_dma to a channel: a read, and the
  // packet that it becomes.
  typedef struct packed {
    logic [AddrW-1:0]   addr;         // local line address
    logic [AddrW-1:0]   remote_addr;  // line address at the receiver
    logic [7:0]         first;        // first strobed byte of the line
    logic [7:0]         last;         // last strobed byte of the line
    subtile_t           sub;          // local context
    logic [CtxW-1:0]    dst_ctx;
    logic [DeviceW-1:0] dst;
    logic               link;
    logic               op;           // op_e
  } dma_line_t;
  localparam int unsigned DmaLineBits =
      2 * AddrW + 16 + SubtileBits + CtxW + DeviceW + 2;

  // Access of the tracker to its words in memory (counts and ready rings).
  typedef struct packed {
    logic             write;
    logic [4:0]       id;     // requester: tracker bank, or 16 + context for a ready ring
    logic [AddrW-1:0] addr;   // of an aligned 8-byte word
    logic [WordW-1:0] data;
  } word_req_t;
  localparam int unsigned WordReqBits = 1 + 5 + AddrW + WordW;

  // Captured with an error.
  typedef struct packed {
    logic [3:0]         cause;  // err_e
    logic               fails;  // the context sub.ctx fails
    logic               peer_fails;  // every context fed by src fails
    logic               remote; // the access came from a link
    logic [DeviceW-1:0] src;
    logic [AddrW-1:0]   addr;
    logic [EpochW-1:0]  epoch;
    subtile_t           sub;
  } error_t;
  localparam int unsigned ErrorBits = 4 + 3 + DeviceW + AddrW + EpochW + SubtileBits;

  // Element size, log2 of bytes.
  function automatic logic [1:0] fmt_shift(input logic [1:0] fmt);
    fmt_shift = (fmt == 2'd2) ? 2'd2 : 2'd1;  // 2: FmtFp32
  endfunction

  // Channel among 2**width of an interleave block (address >> InterleaveW): the
  // XOR fold of its index.
  function automatic logic [7:0] channel_of(input logic [AddrW-InterleaveW-1:0] block,
                                            input int unsigned width);
    logic [31:0] fold;
    fold = 32'd0;
    for (int unsigned i = 0; i < 32; i++) begin
      if (i * width < 32) fold = fold ^ (block >> (i * width));
    end
    channel_of = fold[7:0] & 8'((32'd1 << width) - 32'd1);
  endfunction

endpackage
