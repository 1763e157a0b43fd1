/* The device, running contexts, events and counters. */
#include "sw/driver/t3.h"

#include "sw/driver/t3_io.h"

enum { PHASE_NONE = 0, PHASE_CONFIGURED = 2 };

static bool is_context(const struct t3_device *dev, uint8_t ctx) {
  return dev != 0 && ctx < T3_MAX_CONTEXTS;
}

/* T3_OK when the context is configured and, as far as the hardware knows, live
 * (before or, with `launched`, after its launch) and sound. */
static int check_live(struct t3_device *dev, uint8_t ctx, bool launched) {
  enum t3_state state;
  bool failed;
  if (dev->context[ctx].phase != PHASE_CONFIGURED) return T3_ERR_STATE;
  if (t3_read_state(dev, ctx, &state, &failed) != T3_OK) return T3_ERR_BUS;
  if (failed) return T3_ERR_FAILED;
  return state == T3_LIVE || (launched && state == T3_LAUNCHED) ? T3_OK : T3_ERR_STATE;
}

/* The same for each context of a mask that is not empty. */
static int check_all_live(struct t3_device *dev, uint32_t mask, bool launched) {
  if (dev == 0 || mask >= 1u << T3_MAX_CONTEXTS) return T3_ERR_ARGUMENT;
  for (uint8_t ctx = 0; ctx < T3_MAX_CONTEXTS; ctx++) {
    const int result = mask >> ctx & 1u ? check_live(dev, ctx, launched) : T3_OK;
    if (result != T3_OK) return result;
  }
  return T3_OK;
}

/* T3_ERR_BUSY while `busy` (a mask in place) is set in STATUS. */
static int check_room(struct t3_device *dev, uint32_t busy) {
  uint32_t status = 0;
  if (t3_read(dev, T3_REG_STATUS, &status) != T3_OK) return T3_ERR_BUS;
  return (status & busy) != 0 ? T3_ERR_BUSY : T3_OK;
}

int t3_open(struct t3_device *dev, const struct t3_bus *bus) {
  if (dev == 0 || bus == 0 || bus->read32 == 0 || bus->write32 == 0) return T3_ERR_ARGUMENT;
  uint32_t version = 0, cap[3] = {0, 0, 0}, id = 0;
  dev->bus = *bus;
  if (t3_read(dev, T3_REG_VERSION, &version) != T3_OK) return T3_ERR_BUS;
  if (T3_GET(VERSION_MAGIC, version) != 0x5433u || T3_GET(VERSION_MAJOR, version) != 1u) {
    return T3_ERR_VERSION;
  }
  if (t3_read(dev, T3_REG_CAP0, &cap[0]) != T3_OK || t3_read(dev, T3_REG_CAP1, &cap[1]) != T3_OK ||
      t3_read(dev, T3_REG_CAP2, &cap[2]) != T3_OK || t3_read(dev, T3_REG_DEVICE, &id) != T3_OK) {
    return T3_ERR_BUS;
  }
  struct t3_caps *caps = &dev->caps;
  caps->channels = T3_GET(CAP0_CHANNELS, cap[0]);
  caps->line_bytes = T3_GET(CAP0_LINE_BYTES, cap[0]);
  caps->banks = T3_GET(CAP0_BANKS, cap[0]);
  caps->contexts = T3_GET(CAP0_CONTEXTS, cap[0]);
  caps->chunks = T3_GET(CAP1_CHUNKS, cap[1]);
  caps->devices = T3_GET(CAP1_DEVICES, cap[1]);
  caps->credits = T3_GET(CAP2_CREDITS, cap[2]);
  caps->lanes = T3_GET(CAP2_LANES, cap[2]);
  caps->links = T3_GET(CAP2_LINKS, cap[2]);
  if (caps->contexts != T3_MAX_CONTEXTS || caps->chunks > T3_MAX_CHUNKS ||
      caps->devices > T3_MAX_DEVICES) {
    return T3_ERR_VERSION;
  }
  dev->id = (uint8_t)T3_GET(DEVICE_ID, id);
  for (uint32_t ctx = 0; ctx < T3_MAX_CONTEXTS; ctx++) dev->context[ctx].phase = PHASE_NONE;
  return T3_OK;
}

int t3_set_device(struct t3_device *dev, uint8_t id) {
  if (dev == 0 || id >= dev->caps.devices) return T3_ERR_ARGUMENT;
  for (uint8_t ctx = 0; ctx < T3_MAX_CONTEXTS; ctx++) {
    enum t3_state state;
    bool failed;
    if (t3_read_state(dev, ctx, &state, &failed) != T3_OK) return T3_ERR_BUS;
    if (state != T3_FREE) return T3_ERR_STATE;
  }
  const int result = t3_write(dev, T3_REG_DEVICE, T3_PUT(DEVICE_ID, id));
  if (result == T3_OK) dev->id = id;
  return result;
}

int t3_set_policy(struct t3_device *dev, const struct t3_policy *policy) {
  if (dev == 0 || policy == 0 || policy->policy > T3_MCA || policy->queue_entries == 0 ||
      policy->limit_incoming == 0 || policy->limit_dma == 0 || policy->limit_fill == 0) {
    return T3_ERR_ARGUMENT;
  }
  const uint32_t word = T3_PUT(POLICY_POLICY, policy->policy) |
                        T3_PUT(POLICY_THRESHOLD, policy->threshold) |
                        T3_PUT(POLICY_QUEUE_ENTRIES, policy->queue_entries);
  if (t3_write(dev, T3_REG_POLICY, word) != T3_OK ||
      t3_write(dev, T3_REG_LIMIT_INCOMING, policy->limit_incoming) != T3_OK ||
      t3_write(dev, T3_REG_LIMIT_DMA, policy->limit_dma) != T3_OK ||
      t3_write(dev, T3_REG_LIMIT_FILL, policy->limit_fill) != T3_OK) {
    return T3_ERR_BUS;
  }
  return T3_OK;
}

int t3_set_credits(struct t3_device *dev, uint8_t peer, uint32_t count) {
  if (dev == 0 || peer >= dev->caps.devices || peer == dev->id || count > dev->caps.credits) {
    return T3_ERR_ARGUMENT;
  }
  return t3_write(dev, T3_REG_CREDIT_INIT,
                  T3_PUT(CREDIT_INIT_PEER, peer) | T3_PUT(CREDIT_INIT_COUNT, count));
}

int t3_fill(struct t3_device *dev, uint8_t ctx, uint32_t grant_mask, uint8_t peer, uint8_t link) {
  if (!is_context(dev, ctx)) return T3_ERR_ARGUMENT;
  if (grant_mask != 0 &&
      (peer >= dev->caps.devices || peer == dev->id || link >= dev->caps.links)) {
    return T3_ERR_ARGUMENT;
  }
  int result = check_all_live(dev, grant_mask | 1u << ctx, true);
  if (result != T3_OK) return result;
  result = check_room(dev, T3_PUT(STATUS_FILL_FULL, 1));
  if (result != T3_OK) return result;
  uint32_t command = T3_PUT(FILL_CTX, ctx);
  if (grant_mask != 0) {
    command |=
        T3_PUT(FILL_GRANT_MASK, grant_mask) | T3_PUT(FILL_PEER, peer) | T3_PUT(FILL_LINK, link);
  }
  return t3_write(dev, T3_REG_FILL, command);
}

int t3_grant(struct t3_device *dev, uint8_t ctx, uint8_t peer, uint8_t link) {
  if (!is_context(dev, ctx) || peer >= dev->caps.devices || peer == dev->id ||
      link >= dev->caps.links) {
    return T3_ERR_ARGUMENT;
  }
  int result = check_live(dev, ctx, true);
  if (result != T3_OK) return result;
  result = check_room(dev, T3_PUT(STATUS_GRANT_FULL, 1));
  if (result != T3_OK) return result;
  return t3_write(dev, T3_REG_GRANT,
                  T3_PUT(GRANT_CTX, ctx) | T3_PUT(GRANT_PEER, peer) | T3_PUT(GRANT_LINK, link));
}

int t3_granted(struct t3_device *dev, uint8_t peer, uint8_t ctx, uint64_t *epoch) {
  if (!is_context(dev, ctx) || epoch == 0 || peer >= dev->caps.devices) return T3_ERR_ARGUMENT;
  const uint32_t select = T3_PUT(GRANT_SELECT_PEER, peer) | T3_PUT(GRANT_SELECT_CTX, ctx);
  const int result = t3_write(dev, T3_REG_GRANT_SELECT, select);
  return result == T3_OK ? t3_read64(dev, T3_REG_GRANT_EPOCH_LO, epoch) : result;
}

int t3_ready_to_launch(struct t3_device *dev, uint32_t ctx_mask) {
  if (ctx_mask == 0) return T3_ERR_ARGUMENT;
  const int result = check_all_live(dev, ctx_mask, false);
  if (result != T3_OK) return result;
  for (uint8_t ctx = 0; ctx < T3_MAX_CONTEXTS; ctx++) {
    const struct t3_context_record *c = &dev->context[ctx];
    for (uint8_t peer = 0; (ctx_mask >> ctx & 1u) && peer < dev->caps.devices; peer++) {
      for (uint8_t peer_ctx = 0; c->named[peer] >> peer_ctx; peer_ctx++) {
        if (!(c->named[peer] >> peer_ctx & 1u)) continue;
        uint64_t granted = 0;
        if (t3_granted(dev, peer, peer_ctx, &granted) != T3_OK) return T3_ERR_BUS;
        if (granted < c->epoch) return 0;
      }
    }
  }
  return 1;
}

int t3_launch(struct t3_device *dev, uint32_t ctx_mask) {
  if (ctx_mask == 0) return T3_ERR_ARGUMENT;
  const int result = check_all_live(dev, ctx_mask, false);
  return result == T3_OK ? t3_write(dev, T3_REG_LAUNCH, T3_PUT(LAUNCH_MASK, ctx_mask)) : result;
}

int t3_send_chunk(struct t3_device *dev, uint8_t ctx, uint32_t chunk) {
  if (!is_context(dev, ctx)) return T3_ERR_ARGUMENT;
  struct t3_context_record *c = &dev->context[ctx];
  if (c->phase != PHASE_CONFIGURED) return T3_ERR_STATE;
  if (chunk >= c->chunks || !c->chunk[chunk].mapped || !c->chunk[chunk].sendable) {
    return T3_ERR_ARGUMENT;
  }
  struct t3_chunk_record *r = &c->chunk[chunk];
  if (r->sent) return T3_ERR_STATE;
  if (r->count != 0) {
    int result = check_live(dev, ctx, true);
    if (result != T3_OK) return result;
    result = check_room(dev, T3_PUT(STATUS_SEND_BUSY, 1));
    if (result != T3_OK) return result;
    const bool down = c->buffer.column_major;
    const uint32_t line = down ? c->grid_y : c->grid_x;
    const uint32_t major = r->first / line, minor = r->first % line;
    const uint32_t tile =
        T3_PUT(SEND_TILE_WGX, down ? major : minor) | T3_PUT(SEND_TILE_WGY, down ? minor : major);
    const uint32_t command = T3_PUT(SEND_CHUNK_CHUNK, chunk) | T3_PUT(SEND_CHUNK_CTX, ctx) |
                             T3_PUT(SEND_CHUNK_OP, r->op);
    if (t3_write(dev, T3_REG_SEND_TILE, tile) != T3_OK ||
        t3_write(dev, T3_REG_SEND_TILES, r->count) != T3_OK ||
        t3_write(dev, T3_REG_SEND_CHUNK, command) != T3_OK) {
      return T3_ERR_BUS;
    }
  }
  r->sent = 1;
  return T3_OK;
}

int t3_status(struct t3_device *dev, uint8_t ctx, struct t3_status *status) {
  if (!is_context(dev, ctx) || status == 0) return T3_ERR_ARGUMENT;
  if (t3_read_state(dev, ctx, &status->state, &status->failed) != T3_OK ||
      t3_read(dev, T3_REG_CTX_SUBTILES(ctx), &status->subtiles_left) != T3_OK ||
      t3_read64(dev, T3_REG_CTX_ELEMENTS_LO(ctx), &status->elements_left) != T3_OK ||
      t3_read64(dev, T3_REG_CTX_SENDS_LO(ctx), &status->sends_left) != T3_OK ||
      t3_read(dev, T3_REG_CTX_NOTIFIED(ctx), &status->notified) != T3_OK) {
    return T3_ERR_BUS;
  }
  return T3_OK;
}

int t3_wait(struct t3_device *dev, uint8_t ctx, uint32_t max_polls) {
  if (!is_context(dev, ctx)) return T3_ERR_ARGUMENT;
  do {
    enum t3_state state;
    bool failed;
    if (t3_read_state(dev, ctx, &state, &failed) != T3_OK) return T3_ERR_BUS;
    if (failed) return T3_ERR_FAILED;
    if (state == T3_DONE) return T3_OK;
    if (state != T3_LIVE && state != T3_LAUNCHED) return T3_ERR_STATE;
  } while (max_polls-- > 1);
  return T3_ERR_TIMEOUT;
}

int t3_release(struct t3_device *dev, uint8_t ctx) {
  if (!is_context(dev, ctx)) return T3_ERR_ARGUMENT;
  enum t3_state state;
  bool failed;
  if (t3_read_state(dev, ctx, &state, &failed) != T3_OK) return T3_ERR_BUS;
  if (failed) return T3_ERR_FAILED;
  if (state != T3_DONE) return T3_ERR_STATE;
  const int result = t3_write(dev, T3_REG_CTX_CONTROL(ctx), T3_PUT(CTX_CONTROL_RELEASE, 1));
  if (result == T3_OK) dev->context[ctx].phase = PHASE_NONE;
  return result;
}

int t3_abort(struct t3_device *dev, uint8_t ctx, uint32_t max_polls) {
  if (!is_context(dev, ctx)) return T3_ERR_ARGUMENT;
  do {
    enum t3_state state;
    bool failed;
    if (t3_read_state(dev, ctx, &state, &failed) != T3_OK) return T3_ERR_BUS;
    if (state == T3_FREE) {
      dev->context[ctx].phase = PHASE_NONE;
      return T3_OK;
    }
    if (state == T3_LIVE || state == T3_LAUNCHED || state == T3_DONE) {
      const uint32_t command = T3_PUT(CTX_CONTROL_ABORT, 1);
      if (t3_write(dev, T3_REG_CTX_CONTROL(ctx), command) != T3_OK) return T3_ERR_BUS;
      dev->context[ctx].phase = PHASE_NONE;
    }
  } while (max_polls-- > 1);
  return T3_ERR_TIMEOUT;
}

int t3_quiesce(struct t3_device *dev, uint32_t max_polls) {
  if (dev == 0) return T3_ERR_ARGUMENT;
  const uint32_t busy = T3_PUT(STATUS_SEND_BUSY, 1) | T3_PUT(STATUS_FILL_BUSY, 1) |
                        T3_PUT(STATUS_GRANT_BUSY, 1) | T3_PUT(STATUS_CLEAR_BUSY, 1) |
                        T3_PUT(STATUS_CTX_BUSY, 0xf);
  do {
    const int result = check_room(dev, busy);
    if (result != T3_ERR_BUSY) return result;
  } while (max_polls-- > 1);
  return T3_ERR_TIMEOUT;
}

int t3_irq_status(struct t3_device *dev, uint32_t *events) {
  if (dev == 0 || events == 0) return T3_ERR_ARGUMENT;
  return t3_read(dev, T3_REG_IRQ_STATUS, events);
}

int t3_irq_clear(struct t3_device *dev, uint32_t events) {
  if (dev == 0 || (events & ~T3_IRQ_ENABLE_MASK_MASK) != 0) return T3_ERR_ARGUMENT;
  return t3_write(dev, T3_REG_IRQ_STATUS, events);
}

int t3_irq_enable(struct t3_device *dev, uint32_t events) {
  if (dev == 0 || (events & ~T3_IRQ_ENABLE_MASK_MASK) != 0) return T3_ERR_ARGUMENT;
  return t3_write(dev, T3_REG_IRQ_ENABLE, events);
}

int t3_counter(struct t3_device *dev, enum t3_counter_id which, uint64_t *value) {
  if (dev == 0 || value == 0 || (uint32_t)which >= (uint32_t)T3_NUM_COUNTERS) {
    return T3_ERR_ARGUMENT;
  }
  return t3_read64(dev, T3_REG_COUNTER_ELEMENTS_LO + 8u * (uint32_t)which, value);
}

int t3_tracker(struct t3_device *dev, uint32_t *entries, uint32_t *peak) {
  if (dev == 0) return T3_ERR_ARGUMENT;
  uint32_t word = 0;
  const int result = t3_read(dev, T3_REG_TRACKER, &word);
  if (result != T3_OK) return result;
  if (entries != 0) *entries = T3_GET(TRACKER_ENTRIES, word);
  if (peak != 0) *peak = T3_GET(TRACKER_PEAK, word);
  return T3_OK;
}

int t3_clear_counters(struct t3_device *dev) {
  if (dev == 0) return T3_ERR_ARGUMENT;
  return t3_write(dev, T3_REG_COUNTER_CLEAR, T3_PUT(COUNTER_CLEAR_CLEAR, 1));
}

int t3_error(struct t3_device *dev, struct t3_error *error) {
  if (dev == 0 || error == 0) return T3_ERR_ARGUMENT;
  uint32_t info = 0, wg = 0, sub = 0;
  if (t3_read(dev, T3_REG_ERROR_INFO, &info) != T3_OK ||
      t3_read64(dev, T3_REG_ERROR_ADDR_LO, &error->addr) != T3_OK ||
      t3_read64(dev, T3_REG_ERROR_EPOCH_LO, &error->epoch) != T3_OK ||
      t3_read(dev, T3_REG_ERROR_WG, &wg) != T3_OK ||
      t3_read(dev, T3_REG_ERROR_SUB, &sub) != T3_OK ||
      t3_read(dev, T3_REG_ERROR_COUNT, &error->count) != T3_OK) {
    return T3_ERR_BUS;
  }
  error->valid = T3_GET(ERROR_INFO_VALID, info) != 0;
  error->fails = T3_GET(ERROR_INFO_FAILS, info) != 0;
  error->peer_fails = T3_GET(ERROR_INFO_PEER_FAILS, info) != 0;
  error->remote = T3_GET(ERROR_INFO_REMOTE, info) != 0;
  error->cause = (uint8_t)T3_GET(ERROR_INFO_CAUSE, info);
  error->src = (uint8_t)T3_GET(ERROR_INFO_SRC, info);
  error->wgx = (uint16_t)T3_GET(ERROR_WG_WGX, wg);
  error->wgy = (uint16_t)T3_GET(ERROR_WG_WGY, wg);
  error->ctx = (uint8_t)T3_GET(ERROR_SUB_CTX, sub);
  error->wf = (uint8_t)T3_GET(ERROR_SUB_WF, sub);
  error->chunk = (uint16_t)T3_GET(ERROR_SUB_CHUNK, sub);
  return T3_OK;
}

int t3_clear_error(struct t3_device *dev) {
  if (dev == 0) return T3_ERR_ARGUMENT;
  return t3_write(dev, T3_REG_ERROR_INFO, T3_PUT(ERROR_INFO_VALID, 1));
}

const char *t3_error_text(uint8_t cause) {
  static const char *const text[] = {"none",
                                     "context not live or not launched",
                                     "epoch",
                                     "ids outside the grid",
                                     "chunk",
                                     "address outside the subtile",
                                     "strobes",
                                     "access not expected",
                                     "CRC",
                                     "sequence number",
                                     "more updates than expected",
                                     "credits"};
  return cause < sizeof text / sizeof text[0] ? text[cause] : "unknown";
}

int t3_peek(struct t3_device *dev, uint8_t bank, uint16_t index, struct t3_peek *entry) {
  if (dev == 0 || entry == 0 || bank >= dev->caps.banks) return T3_ERR_ARGUMENT;
  uint32_t word = 0, count = 0;
  const uint32_t select = T3_PUT(PEEK_SELECT_BANK, bank) | T3_PUT(PEEK_SELECT_INDEX, index);
  if (t3_write(dev, T3_REG_PEEK_SELECT, select) != T3_OK ||
      t3_read(dev, T3_REG_PEEK_ENTRY, &word) != T3_OK ||
      t3_read(dev, T3_REG_PEEK_COUNT, &count) != T3_OK) {
    return T3_ERR_BUS;
  }
  entry->valid = T3_GET(PEEK_ENTRY_VALID, word) != 0;
  entry->ctx = (uint8_t)T3_GET(PEEK_ENTRY_CTX, word);
  entry->sub = T3_GET(PEEK_ENTRY_SUB, word);
  entry->count = T3_GET(PEEK_COUNT_COUNT, count);
  return T3_OK;
}
