/* Configuration of contexts: geometry, chunk table, totals. */
#include "sw/driver/t3_io.h"

#define CLEAR_POLLS (1u << 20)

enum { PHASE_NONE = 0, PHASE_BEGUN = 1, PHASE_CONFIGURED = 2 };

/* What a chunk-table entry says beside its tiles. */
struct entry {
  bool remote, notify;
  uint32_t op, expected, action;
  const struct t3_peer *peer; /* null: nothing is sent */
};

static uint32_t element_shift(const struct t3_buffer *buffer) {
  return buffer->format == T3_FP32 ? 2u : 1u;
}

static uint32_t ceil_div(uint32_t value, uint32_t by) { return (value + by - 1) / by; }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint64_t row_bytes(const struct t3_buffer *buffer) {
  return (uint64_t)buffer->cols << element_shift(buffer);
}

/* Bytes from the first byte of the matrix to behind its last. */
static uint64_t extent(const struct t3_buffer *buffer) {
  return (uint64_t)(buffer->rows - 1) * buffer->pitch_bytes + row_bytes(buffer);
}

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

/* True when [base, base + size) lies in the address space. */
static bool addressable(uint64_t base, uint64_t size) {
  return base < T3_ADDRESS_END && size < T3_ADDRESS_END - base;
}

int t3_check_begin(struct t3_device *dev, uint8_t ctx, const struct t3_buffer *buffer,
                   uint64_t epoch, uint32_t chunks) {
  if (dev == 0 || buffer == 0 || ctx >= T3_MAX_CONTEXTS || epoch == 0 || epoch >= T3_ADDRESS_END ||
      chunks == 0 || chunks > dev->caps.chunks) {
    return T3_ERR_ARGUMENT;
  }
  const struct t3_buffer *b = buffer;
  const uint32_t limit = 1u << 24;
  if (b->format > T3_FP32 || b->rows == 0 || b->rows >= limit || b->cols == 0 || b->cols >= limit ||
      b->tile_m == 0 || b->tile_m > 4095 || b->tile_n == 0 || b->tile_n > 4095 ||
      b->wavefronts == 0 || b->wavefronts > 32 || b->tile_m % b->wavefronts != 0) {
    return T3_ERR_ARGUMENT;
  }
  const uint32_t grid_x = ceil_div(b->cols, b->tile_n), grid_y = ceil_div(b->rows, b->tile_m);
  const uint64_t subtiles = (uint64_t)grid_x * grid_y * b->wavefronts;
  const uint32_t unaligned = (1u << element_shift(b)) - 1;
  if (grid_x > 0xffff || grid_y > 0xffff || subtiles >= limit ||
      ((b->base | b->pitch_bytes) & unaligned) != 0 || b->pitch_bytes < row_bytes(b) ||
      ((b->count_base | b->ring_base) & 7) != 0) {
    return T3_ERR_ARGUMENT;
  }
  if (!addressable(b->base, extent(b)) || !addressable(b->count_base, 8 * subtiles) ||
      !addressable(b->ring_base, 8 * subtiles) ||
      overlap(b->base, extent(b), b->count_base, 8 * subtiles) ||
      overlap(b->base, extent(b), b->ring_base, 8 * subtiles) ||
      overlap(b->count_base, 8 * subtiles, b->ring_base, 8 * subtiles)) {
    return T3_ERR_ARGUMENT;
  }
  enum t3_state state;
  bool failed;
  const int result = t3_read_state(dev, ctx, &state, &failed);
  if (result != T3_OK) return result;
  return state == T3_FREE ? T3_OK : T3_ERR_STATE;
}

int t3_check_peer(const struct t3_device *dev, const struct t3_buffer *buffer,
                  const struct t3_peer *peer) {
  const uint64_t in_line = dev->caps.line_bytes - 1;
  if (peer->device >= dev->caps.devices || peer->device == dev->id ||
      peer->ctx >= T3_MAX_CONTEXTS || peer->link >= dev->caps.links ||
      peer->pitch_bytes != buffer->pitch_bytes || ((peer->base ^ buffer->base) & in_line) != 0 ||
      !addressable(peer->base, extent(buffer))) {
    return T3_ERR_ARGUMENT;
  }
  return T3_OK;
}

int t3_check_expected(const struct t3_buffer *buffer, uint32_t expected) {
  if (expected == 0 || expected > 255) return T3_ERR_ARGUMENT;
  /* The count of one subtile has 24 bits. */
  const uint64_t subtile = (uint64_t)(buffer->tile_m / buffer->wavefronts) * buffer->tile_n;
  return expected * subtile < (1u << 24) ? T3_OK : T3_ERR_ARGUMENT;
}

int t3_context_begin(struct t3_device *dev, uint8_t ctx, const struct t3_buffer *buffer,
                     uint64_t epoch, uint32_t chunks) {
  const int checked = t3_check_begin(dev, ctx, buffer, epoch, chunks);
  if (checked != T3_OK) return checked;

  struct t3_context_record *c = &dev->context[ctx];
  c->phase = PHASE_NONE;
  c->buffer = *buffer;
  c->epoch = epoch;
  c->grid_x = ceil_div(buffer->cols, buffer->tile_n);
  c->grid_y = ceil_div(buffer->rows, buffer->tile_m);
  c->wf_rows = buffer->tile_m / buffer->wavefronts;
  c->chunks = chunks;
  c->subtiles = c->elements = c->sends = 0;
  for (uint32_t i = 0; i < T3_MAX_DEVICES; i++) c->named[i] = 0;
  for (uint32_t i = 0; i < chunks; i++) {
    c->chunk[i].mapped = 0;
    c->chunk[i].sendable = 0;
  }

  /* Without padding a fill is one long row. */
  const bool dense = buffer->pitch_bytes == row_bytes(buffer);
  const struct {
    uint32_t offset, value;
  } words[] = {
      {T3_REG_CTX_FORMAT(ctx), T3_PUT(CTX_FORMAT_FMT, buffer->format) |
                                   T3_PUT(CTX_FORMAT_COL_MAJOR, buffer->column_major) |
                                   T3_PUT(CTX_FORMAT_WAVEFRONTS, buffer->wavefronts)},
      {T3_REG_CTX_PITCH(ctx), buffer->pitch_bytes},
      {T3_REG_CTX_ROWS(ctx), buffer->rows},
      {T3_REG_CTX_COLS(ctx), buffer->cols},
      {T3_REG_CTX_TILE(ctx),
       T3_PUT(CTX_TILE_M, buffer->tile_m) | T3_PUT(CTX_TILE_N, buffer->tile_n)},
      {T3_REG_CTX_WF_ROWS(ctx), c->wf_rows},
      {T3_REG_CTX_GRID(ctx), T3_PUT(CTX_GRID_X, c->grid_x) | T3_PUT(CTX_GRID_Y, c->grid_y)},
      {T3_REG_CTX_NUM_CHUNKS(ctx), chunks},
      {T3_REG_CTX_FILL_ROWS(ctx), dense ? 1 : buffer->rows},
  };
  const struct {
    uint32_t offset;
    uint64_t value;
  } pairs[] = {
      {T3_REG_CTX_EPOCH_LO(ctx), epoch},
      {T3_REG_CTX_BASE_LO(ctx), buffer->base},
      {T3_REG_CTX_COUNT_BASE_LO(ctx), buffer->count_base},
      {T3_REG_CTX_RING_BASE_LO(ctx), buffer->ring_base},
      {T3_REG_CTX_FILL_ROW_BYTES_LO(ctx), dense ? extent(buffer) : row_bytes(buffer)},
  };
  for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (t3_write(dev, words[i].offset, words[i].value) != T3_OK) return T3_ERR_BUS;
  }
  for (uint32_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    if (t3_write64(dev, pairs[i].offset, pairs[i].value) != T3_OK) return T3_ERR_BUS;
  }
  c->phase = PHASE_BEGUN;
  return T3_OK;
}

/* Elements, and subtiles that are not empty, of a range of tiles: one step per
 * row (column-major: column) of the grid. */
static void measure(const struct t3_context_record *c, const struct t3_range *tiles,
                    uint64_t *elements, uint32_t *subtiles) {
  const struct t3_buffer *b = &c->buffer;
  const uint32_t line = b->column_major ? c->grid_y : c->grid_x;
  uint32_t tile = tiles->first, left = tiles->count;
  *elements = 0;
  *subtiles = 0;
  while (left > 0) {
    const uint32_t major = tile / line, minor = tile % line, n = least(left, line - minor);
    if (b->column_major) {
      const uint32_t top = minor * b->tile_m,
                     columns = least(b->tile_n, b->cols - major * b->tile_n);
      const uint32_t rows = least(n * b->tile_m, b->rows - top);
      const uint32_t full = rows / b->tile_m, rest = rows % b->tile_m;
      *elements += (uint64_t)rows * columns;
      *subtiles += full * b->wavefronts + ceil_div(rest, c->wf_rows);
    } else {
      const uint32_t left_edge = minor * b->tile_n,
                     rows = least(b->tile_m, b->rows - major * b->tile_m);
      const uint32_t columns = least(n * b->tile_n, b->cols - left_edge);
      *elements += (uint64_t)rows * columns;
      *subtiles += n * ceil_div(rows, c->wf_rows);
    }
    tile += n;
    left -= n;
  }
}

static int write_entry(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const uint32_t word[4]) {
  const uint32_t offset[4] = {T3_REG_CHUNK_DATA0, T3_REG_CHUNK_DATA1, T3_REG_CHUNK_DATA2,
                              T3_REG_CHUNK_DATA3};
  const uint32_t select = T3_PUT(CHUNK_SELECT_CHUNK, chunk) | T3_PUT(CHUNK_SELECT_CTX, ctx);
  int result = t3_write(dev, T3_REG_CHUNK_SELECT, select);
  for (uint32_t i = 0; i < 4 && result == T3_OK; i++) result = t3_write(dev, offset[i], word[i]);
  return result;
}

static int map_chunk(struct t3_device *dev, uint8_t ctx, uint32_t chunk,
                     const struct t3_range *tiles, const struct entry *e) {
  if (dev == 0 || tiles == 0 || ctx >= T3_MAX_CONTEXTS) return T3_ERR_ARGUMENT;
  struct t3_context_record *c = &dev->context[ctx];
  if (c->phase != PHASE_BEGUN) return T3_ERR_STATE;
  const uint32_t all = c->grid_x * c->grid_y;
  if (chunk >= c->chunks || c->chunk[chunk].mapped || tiles->first > all ||
      tiles->count > all - tiles->first) {
    return T3_ERR_ARGUMENT;
  }
  if (e->peer != 0 && t3_check_peer(dev, &c->buffer, e->peer) != T3_OK) return T3_ERR_ARGUMENT;

  uint64_t elements;
  uint32_t subtiles;
  measure(c, tiles, &elements, &subtiles);
  if (c->elements + e->expected * elements >= T3_ADDRESS_END ||
      c->sends + elements >= T3_ADDRESS_END) {
    return T3_ERR_ARGUMENT;
  }

  const struct t3_peer nowhere = {0, 0, 0, 0, 0};
  const struct t3_peer *peer = e->peer != 0 ? e->peer : &nowhere;
  const uint32_t word[4] = {
      T3_PUT(CHUNK_DATA0_NUM_TILES, tiles->count) | T3_PUT(CHUNK_DATA0_FIRST_TILE_LO, tiles->first),
      T3_PUT(CHUNK_DATA1_FIRST_TILE_HI, tiles->first >> 8) |
          T3_PUT(CHUNK_DATA1_REMOTE_BASE_LO, peer->base),
      T3_PUT(CHUNK_DATA2_REMOTE_BASE_HI, peer->base >> 16) |
          T3_PUT(CHUNK_DATA2_DST_CTX, peer->ctx) | T3_PUT(CHUNK_DATA2_DST, peer->device),
      T3_PUT(CHUNK_DATA3_EXPECTED, e->expected) | T3_PUT(CHUNK_DATA3_ACTION, e->action) |
          T3_PUT(CHUNK_DATA3_NOTIFY, e->notify) | T3_PUT(CHUNK_DATA3_LINK, peer->link) |
          T3_PUT(CHUNK_DATA3_OP, e->op) | T3_PUT(CHUNK_DATA3_REMOTE, e->remote) |
          T3_PUT(CHUNK_DATA3_VALID, 1)};
  const int result = write_entry(dev, ctx, chunk, word);
  if (result != T3_OK) return result;

  struct t3_chunk_record *r = &c->chunk[chunk];
  r->first = tiles->first;
  r->count = tiles->count & 0xffffffu;
  r->mapped = 1;
  r->sendable = e->peer != 0 && !e->remote && e->expected == 0;
  r->sent = 0;
  r->op = e->action == 1u;
  if (e->expected != 0) c->subtiles += subtiles;
  c->elements += e->expected * elements;
  if (e->peer != 0) {
    c->sends += elements;
    c->named[peer->device] |= (uint8_t)(1u << peer->ctx);
  }
  return T3_OK;
}

static bool is_op(enum t3_op op) { return op == T3_STORE || op == T3_UPDATE; }

static uint32_t action_of(enum t3_op op) { return op == T3_UPDATE ? 1u : 2u; }

static int check_tracked(const struct t3_device *dev, uint8_t ctx, uint32_t expected) {
  if (dev == 0 || ctx >= T3_MAX_CONTEXTS) return T3_ERR_ARGUMENT;
  if (dev->context[ctx].phase != PHASE_BEGUN) return T3_ERR_STATE;
  return t3_check_expected(&dev->context[ctx].buffer, expected);
}

int t3_remote_map(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
                  enum t3_op op, const struct t3_peer *peer) {
  if (!is_op(op) || peer == 0) return T3_ERR_ARGUMENT;
  const struct entry e = {true, false, (uint32_t)op, 0, 0, peer};
  return map_chunk(dev, ctx, chunk, tiles, &e);
}

int t3_dma_map(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
               enum t3_op op_in, uint32_t expected, enum t3_op op_out, const struct t3_peer *peer) {
  if (!is_op(op_in) || !is_op(op_out) || peer == 0) return T3_ERR_ARGUMENT;
  const int checked = check_tracked(dev, ctx, expected);
  if (checked != T3_OK) return checked;
  const struct entry e = {false, false, (uint32_t)op_in, expected, action_of(op_out), peer};
  return map_chunk(dev, ctx, chunk, tiles, &e);
}

int t3_track_only(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
                  enum t3_op op_in, uint32_t expected, bool notify) {
  if (!is_op(op_in)) return T3_ERR_ARGUMENT;
  const int checked = check_tracked(dev, ctx, expected);
  if (checked != T3_OK) return checked;
  const struct entry e = {false, notify, (uint32_t)op_in, expected, 0, 0};
  return map_chunk(dev, ctx, chunk, tiles, &e);
}

int t3_send_map(struct t3_device *dev, uint8_t ctx, uint32_t chunk, const struct t3_range *tiles,
                enum t3_op op_out, const struct t3_peer *peer) {
  if (!is_op(op_out) || peer == 0) return T3_ERR_ARGUMENT;
  const struct entry e = {false, false, T3_STORE, 0, action_of(op_out), peer};
  return map_chunk(dev, ctx, chunk, tiles, &e);
}

int t3_context_configure(struct t3_device *dev, uint8_t ctx, uint8_t feed_peer) {
  if (dev == 0 || ctx >= T3_MAX_CONTEXTS) return T3_ERR_ARGUMENT;
  const bool fed = feed_peer != T3_NO_PEER;
  if (fed && (feed_peer >= dev->caps.devices || feed_peer == dev->id)) return T3_ERR_ARGUMENT;
  struct t3_context_record *c = &dev->context[ctx];
  if (c->phase != PHASE_BEGUN) return T3_ERR_STATE;

  /* Entries of an earlier life must not show. */
  const uint32_t nothing[4] = {0, 0, 0, 0};
  for (uint32_t chunk = 0; chunk < c->chunks; chunk++) {
    if (!c->chunk[chunk].mapped && write_entry(dev, ctx, chunk, nothing) != T3_OK)
      return T3_ERR_BUS;
  }
  const uint32_t feed = fed ? T3_PUT(CTX_FEED_PEER, feed_peer) | T3_PUT(CTX_FEED_VALID, 1) : 0;
  if (t3_write(dev, T3_REG_CTX_FEED(ctx), feed) != T3_OK ||
      t3_write(dev, T3_REG_CTX_SUBTILES(ctx), (uint32_t)c->subtiles) != T3_OK ||
      t3_write64(dev, T3_REG_CTX_ELEMENTS_LO(ctx), c->elements) != T3_OK ||
      t3_write64(dev, T3_REG_CTX_SENDS_LO(ctx), c->sends) != T3_OK ||
      t3_write(dev, T3_REG_CTX_CONTROL(ctx), T3_PUT(CTX_CONTROL_CONFIGURE, 1)) != T3_OK) {
    return T3_ERR_BUS;
  }
  for (uint32_t poll = 0; poll < CLEAR_POLLS; poll++) {
    enum t3_state state;
    bool failed;
    if (t3_read_state(dev, ctx, &state, &failed) != T3_OK) return T3_ERR_BUS;
    if (state == T3_LIVE) {
      c->phase = PHASE_CONFIGURED;
      return T3_OK;
    }
  }
  return T3_ERR_TIMEOUT;
}
