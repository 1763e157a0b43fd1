// The registers' offsets, places of fields and reset values, and the bus inside t3_csr.
// Generated from rtl/csr/t3_registers.json by scripts/generate_registers.py: do not edit.
package t3_csr_pkg;

  // A write answers in the same cycle, a read in the next; both are one cycle.
  typedef struct packed {
    logic        wr_valid;
    logic [15:0] wr_addr;
    logic [31:0] wr_data;
    logic        rd_valid;
    logic [15:0] rd_addr;
  } req_t;

  // Of one part of t3_csr; 0 when the address is another's.
  typedef struct packed {
    logic        wr_ok;
    logic        wr_refused;  // known, but not allowed now
    logic        rd_ok;
    logic [31:0] rd_data;
  } rsp_t;

  // The device.
  typedef enum logic [7:0] {
    OffVersion = 8'h00,
    OffCap0 = 8'h04,
    OffCap1 = 8'h08,
    OffCap2 = 8'h0c,
    OffDevice = 8'h10,
    OffPolicy = 8'h14,
    OffLimitIncoming = 8'h18,
    OffLimitDma = 8'h1c,
    OffLimitFill = 8'h20,
    OffCreditInit = 8'h24,
    OffStatus = 8'h28,
    OffLaunch = 8'h2c,
    OffIrqStatus = 8'h30,
    OffIrqEnable = 8'h34,
    OffChunkSelect = 8'h40,
    OffChunkData0 = 8'h44,
    OffChunkData1 = 8'h48,
    OffChunkData2 = 8'h4c,
    OffChunkData3 = 8'h50,
    OffSendTile = 8'h60,
    OffSendTiles = 8'h64,
    OffSendChunk = 8'h68,
    OffFill = 8'h70,
    OffGrant = 8'h74,
    OffGrantSelect = 8'h80,
    OffGrantEpochLo = 8'h84,
    OffGrantEpochHi = 8'h88,
    OffErrorInfo = 8'h90,
    OffErrorAddrLo = 8'h94,
    OffErrorAddrHi = 8'h98,
    OffErrorEpochLo = 8'h9c,
    OffErrorEpochHi = 8'ha0,
    OffErrorWg = 8'ha4,
    OffErrorSub = 8'ha8,
    OffErrorCount = 8'hac,
    OffPeekSelect = 8'hb0,
    OffPeekEntry = 8'hb4,
    OffPeekCount = 8'hb8,
    OffTracker = 8'hc0,
    OffCounterClear = 8'hc4
  } device_offset_e;
  localparam logic [31:0] VersionReset = 32'h54330100;
  typedef enum logic [4:0] {
    VersionMinorLsb = 5'h00,
    VersionMajorLsb = 5'h08,
    VersionMagicLsb = 5'h10
  } version_lsb_e;
  typedef enum logic [4:0] {
    Cap0ChannelsLsb = 5'h00,
    Cap0LineBytesLsb = 5'h08,
    Cap0BanksLsb = 5'h10,
    Cap0ContextsLsb = 5'h18
  } cap0_lsb_e;
  typedef enum logic [4:0] {
    Cap1ChunksLsb = 5'h00,
    Cap1DevicesLsb = 5'h10
  } cap1_lsb_e;
  typedef enum logic [4:0] {
    Cap2CreditsLsb = 5'h00,
    Cap2LanesLsb = 5'h10,
    Cap2LinksLsb = 5'h18
  } cap2_lsb_e;
  typedef enum logic [4:0] {
    DeviceIdLsb = 5'h00
  } device_lsb_e;
  localparam logic [31:0] PolicyReset = 32'h00401e02;
  typedef enum logic [4:0] {
    PolicyPolicyLsb = 5'h00,
    PolicyThresholdLsb = 5'h08,
    PolicyQueueEntriesLsb = 5'h10
  } policy_lsb_e;
  localparam logic [31:0] LimitIncomingReset = 32'h000001f4;
  typedef enum logic [4:0] {
    LimitIncomingCyclesLsb = 5'h00
  } limit_incoming_lsb_e;
  localparam logic [31:0] LimitDmaReset = 32'h000001f4;
  typedef enum logic [4:0] {
    LimitDmaCyclesLsb = 5'h00
  } limit_dma_lsb_e;
  localparam logic [31:0] LimitFillReset = 32'h00000fa0;
  typedef enum logic [4:0] {
    LimitFillCyclesLsb = 5'h00
  } limit_fill_lsb_e;
  typedef enum logic [4:0] {
    CreditInitCountLsb = 5'h00,
    CreditInitPeerLsb = 5'h10
  } credit_init_lsb_e;
  typedef enum logic [4:0] {
    StatusSendBusyLsb = 5'h00,
    StatusFillBusyLsb = 5'h01,
    StatusFillFullLsb = 5'h02,
    StatusGrantBusyLsb = 5'h03,
    StatusGrantFullLsb = 5'h04,
    StatusClearBusyLsb = 5'h05,
    StatusCtxBusyLsb = 5'h08
  } status_lsb_e;
  typedef enum logic [4:0] {
    LaunchMaskLsb = 5'h00
  } launch_lsb_e;
  typedef enum logic [4:0] {
    IrqStatusDoneLsb = 5'h00,
    IrqStatusFailedLsb = 5'h04,
    IrqStatusGrantedLsb = 5'h08,
    IrqStatusFillDoneLsb = 5'h09,
    IrqStatusAbortDoneLsb = 5'h0a,
    IrqStatusErrorLsb = 5'h0b,
    IrqStatusRefusedLsb = 5'h0c
  } irq_status_lsb_e;
  typedef enum logic [4:0] {
    IrqEnableMaskLsb = 5'h00
  } irq_enable_lsb_e;
  typedef enum logic [4:0] {
    ChunkSelectChunkLsb = 5'h00,
    ChunkSelectCtxLsb = 5'h10
  } chunk_select_lsb_e;
  typedef enum logic [4:0] {
    ChunkData0NumTilesLsb = 5'h00,
    ChunkData0FirstTileLoLsb = 5'h18
  } chunk_data0_lsb_e;
  typedef enum logic [4:0] {
    ChunkData1FirstTileHiLsb = 5'h00,
    ChunkData1RemoteBaseLoLsb = 5'h10
  } chunk_data1_lsb_e;
  typedef enum logic [4:0] {
    ChunkData2RemoteBaseHiLsb = 5'h00,
    ChunkData2DstCtxLsb = 5'h18,
    ChunkData2DstLsb = 5'h1a
  } chunk_data2_lsb_e;
  typedef enum logic [4:0] {
    ChunkData3ExpectedLsb = 5'h00,
    ChunkData3ActionLsb = 5'h08,
    ChunkData3NotifyLsb = 5'h0a,
    ChunkData3LinkLsb = 5'h0b,
    ChunkData3OpLsb = 5'h0c,
    ChunkData3RemoteLsb = 5'h0d,
    ChunkData3ValidLsb = 5'h0e
  } chunk_data3_lsb_e;
  typedef enum logic [4:0] {
    SendTileWgxLsb = 5'h00,
    SendTileWgyLsb = 5'h10
  } send_tile_lsb_e;
  typedef enum logic [4:0] {
    SendTilesTilesLsb = 5'h00
  } send_tiles_lsb_e;
  typedef enum logic [4:0] {
    SendChunkChunkLsb = 5'h00,
    SendChunkCtxLsb = 5'h10,
    SendChunkOpLsb = 5'h14
  } send_chunk_lsb_e;
  typedef enum logic [4:0] {
    FillCtxLsb = 5'h00,
    FillGrantMaskLsb = 5'h04,
    FillPeerLsb = 5'h08,
    FillLinkLsb = 5'h10
  } fill_lsb_e;
  typedef enum logic [4:0] {
    GrantCtxLsb = 5'h00,
    GrantPeerLsb = 5'h08,
    GrantLinkLsb = 5'h10
  } grant_lsb_e;
  typedef enum logic [4:0] {
    GrantSelectCtxLsb = 5'h00,
    GrantSelectPeerLsb = 5'h08
  } grant_select_lsb_e;
  typedef enum logic [4:0] {
    GrantEpochLoEpochLsb = 5'h00
  } grant_epoch_lo_lsb_e;
  typedef enum logic [4:0] {
    GrantEpochHiEpochLsb = 5'h00
  } grant_epoch_hi_lsb_e;
  typedef enum logic [4:0] {
    ErrorInfoValidLsb = 5'h00,
    ErrorInfoCauseLsb = 5'h04,
    ErrorInfoFailsLsb = 5'h08,
    ErrorInfoPeerFailsLsb = 5'h09,
    ErrorInfoRemoteLsb = 5'h0a,
    ErrorInfoSrcLsb = 5'h10
  } error_info_lsb_e;
  typedef enum logic [4:0] {
    ErrorAddrLoAddrLsb = 5'h00
  } error_addr_lo_lsb_e;
  typedef enum logic [4:0] {
    ErrorAddrHiAddrLsb = 5'h00
  } error_addr_hi_lsb_e;
  typedef enum logic [4:0] {
    ErrorEpochLoEpochLsb = 5'h00
  } error_epoch_lo_lsb_e;
  typedef enum logic [4:0] {
    ErrorEpochHiEpochLsb = 5'h00
  } error_epoch_hi_lsb_e;
  typedef enum logic [4:0] {
    ErrorWgWgxLsb = 5'h00,
    ErrorWgWgyLsb = 5'h10
  } error_wg_lsb_e;
  typedef enum logic [4:0] {
    ErrorSubWfLsb = 5'h00,
    ErrorSubChunkLsb = 5'h08,
    ErrorSubCtxLsb = 5'h14
  } error_sub_lsb_e;
  typedef enum logic [4:0] {
    ErrorCountCountLsb = 5'h00
  } error_count_lsb_e;
  typedef enum logic [4:0] {
    PeekSelectIndexLsb = 5'h00,
    PeekSelectBankLsb = 5'h10
  } peek_select_lsb_e;
  typedef enum logic [4:0] {
    PeekEntrySubLsb = 5'h00,
    PeekEntryCtxLsb = 5'h18,
    PeekEntryValidLsb = 5'h1f
  } peek_entry_lsb_e;
  typedef enum logic [4:0] {
    PeekCountCountLsb = 5'h00
  } peek_count_lsb_e;
  typedef enum logic [4:0] {
    TrackerEntriesLsb = 5'h00,
    TrackerPeakLsb = 5'h10
  } tracker_lsb_e;
  typedef enum logic [4:0] {
    CounterClearClearLsb = 5'h00
  } counter_clear_lsb_e;

  // 64-bit counters, low word and high word.
  localparam logic [15:0] CounterBase = 16'h0100;
  localparam int unsigned NumCounters = 13;

  // Contexts. Everything but CTX_CONTROL is written only while the context is free; else the write is refused.
  localparam logic [15:0] CtxBase = 16'h0400;
  typedef enum logic [7:0] {
    OffCtxControl = 8'h00,
    OffCtxStatus = 8'h04,
    OffCtxEpochLo = 8'h08,
    OffCtxEpochHi = 8'h0c,
    OffCtxFormat = 8'h10,
    OffCtxBaseLo = 8'h14,
    OffCtxBaseHi = 8'h18,
    OffCtxPitch = 8'h1c,
    OffCtxRows = 8'h20,
    OffCtxCols = 8'h24,
    OffCtxTile = 8'h28,
    OffCtxWfRows = 8'h2c,
    OffCtxGrid = 8'h30,
    OffCtxCountBaseLo = 8'h34,
    OffCtxCountBaseHi = 8'h38,
    OffCtxRingBaseLo = 8'h3c,
    OffCtxRingBaseHi = 8'h40,
    OffCtxNumChunks = 8'h44,
    OffCtxFeed = 8'h48,
    OffCtxFillRows = 8'h4c,
    OffCtxFillRowBytesLo = 8'h50,
    OffCtxFillRowBytesHi = 8'h54,
    OffCtxSubtiles = 8'h58,
    OffCtxElementsLo = 8'h5c,
    OffCtxElementsHi = 8'h60,
    OffCtxSendsLo = 8'h64,
    OffCtxSendsHi = 8'h68,
    OffCtxNotified = 8'h6c
  } ctx_offset_e;
  typedef enum logic [4:0] {
    CtxControlConfigureLsb = 5'h00,
    CtxControlReleaseLsb = 5'h01,
    CtxControlAbortLsb = 5'h02
  } ctx_control_lsb_e;
  typedef enum logic [4:0] {
    CtxStatusStateLsb = 5'h00,
    CtxStatusFailedLsb = 5'h08
  } ctx_status_lsb_e;
  typedef enum logic [4:0] {
    CtxEpochLoEpochLsb = 5'h00
  } ctx_epoch_lo_lsb_e;
  typedef enum logic [4:0] {
    CtxEpochHiEpochLsb = 5'h00
  } ctx_epoch_hi_lsb_e;
  typedef enum logic [4:0] {
    CtxFormatFmtLsb = 5'h00,
    CtxFormatColMajorLsb = 5'h08,
    CtxFormatWavefrontsLsb = 5'h10
  } ctx_format_lsb_e;
  typedef enum logic [4:0] {
    CtxBaseLoAddrLsb = 5'h00
  } ctx_base_lo_lsb_e;
  typedef enum logic [4:0] {
    CtxBaseHiAddrLsb = 5'h00
  } ctx_base_hi_lsb_e;
  typedef enum logic [4:0] {
    CtxPitchBytesLsb = 5'h00
  } ctx_pitch_lsb_e;
  typedef enum logic [4:0] {
    CtxRowsRowsLsb = 5'h00
  } ctx_rows_lsb_e;
  typedef enum logic [4:0] {
    CtxColsColsLsb = 5'h00
  } ctx_cols_lsb_e;
  typedef enum logic [4:0] {
    CtxTileMLsb = 5'h00,
    CtxTileNLsb = 5'h10
  } ctx_tile_lsb_e;
  typedef enum logic [4:0] {
    CtxWfRowsRowsLsb = 5'h00
  } ctx_wf_rows_lsb_e;
  typedef enum logic [4:0] {
    CtxGridXLsb = 5'h00,
    CtxGridYLsb = 5'h10
  } ctx_grid_lsb_e;
  typedef enum logic [4:0] {
    CtxCountBaseLoAddrLsb = 5'h00
  } ctx_count_base_lo_lsb_e;
  typedef enum logic [4:0] {
    CtxCountBaseHiAddrLsb = 5'h00
  } ctx_count_base_hi_lsb_e;
  typedef enum logic [4:0] {
    CtxRingBaseLoAddrLsb = 5'h00
  } ctx_ring_base_lo_lsb_e;
  typedef enum logic [4:0] {
    CtxRingBaseHiAddrLsb = 5'h00
  } ctx_ring_base_hi_lsb_e;
  typedef enum logic [4:0] {
    CtxNumChunksChunksLsb = 5'h00
  } ctx_num_chunks_lsb_e;
  typedef enum logic [4:0] {
    CtxFeedPeerLsb = 5'h00,
    CtxFeedValidLsb = 5'h08
  } ctx_feed_lsb_e;
  typedef enum logic [4:0] {
    CtxFillRowsRowsLsb = 5'h00
  } ctx_fill_rows_lsb_e;
  typedef enum logic [4:0] {
    CtxFillRowBytesLoBytesLsb = 5'h00
  } ctx_fill_row_bytes_lo_lsb_e;
  typedef enum logic [4:0] {
    CtxFillRowBytesHiBytesLsb = 5'h00
  } ctx_fill_row_bytes_hi_lsb_e;
  typedef enum logic [4:0] {
    CtxSubtilesCountLsb = 5'h00
  } ctx_subtiles_lsb_e;
  typedef enum logic [4:0] {
    CtxElementsLoCountLsb = 5'h00
  } ctx_elements_lo_lsb_e;
  typedef enum logic [4:0] {
    CtxElementsHiCountLsb = 5'h00
  } ctx_elements_hi_lsb_e;
  typedef enum logic [4:0] {
    CtxSendsLoCountLsb = 5'h00
  } ctx_sends_lo_lsb_e;
  typedef enum logic [4:0] {
    CtxSendsHiCountLsb = 5'h00
  } ctx_sends_hi_lsb_e;
  typedef enum logic [4:0] {
    CtxNotifiedCountLsb = 5'h00
  } ctx_notified_lsb_e;

endpackage
