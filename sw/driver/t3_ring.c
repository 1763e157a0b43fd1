/* The two halves of a ring all-reduce as chunk tables. */
#include "sw/driver/t3_io.h"

static bool ring_is_valid(const struct t3_ring *ring) {
  return ring != 0 && ring->devices >= 1 && ring->devices <= T3_MAX_DEVICES &&
         ring->device < ring->devices && (ring->direction == 1 || ring->direction == -1);
}

/* The device `hops` (0 .. devices) places further on. */
static uint8_t ahead(const struct t3_ring *ring, uint32_t hops) {
  const uint32_t n = ring->devices, steps = ring->direction > 0 ? hops : n - hops;
  return (uint8_t)((ring->device + steps) % n);
}

/* Places from the owner of chunk c forward to this device: the phase in which
 * this device produces chunk c; 0: its own chunk. */
static uint32_t hops_from(const struct t3_ring *ring, uint32_t c) {
  const uint32_t n = ring->devices, up = (ring->device + n - c) % n;
  return ring->direction > 0 ? up : (n - up) % n;
}

uint8_t t3_ring_successor(const struct t3_ring *ring) { return ahead(ring, 1); }

uint8_t t3_ring_predecessor(const struct t3_ring *ring) { return ahead(ring, ring->devices - 1u); }

struct t3_range t3_ring_chunk(uint32_t tiles, uint32_t chunks, uint32_t c) {
  const uint32_t first = c * tiles / chunks, end = (c + 1) * tiles / chunks;
  const struct t3_range range = {first, end - first};
  return range;
}

/* Everything that could go wrong later, before anything is written. */
static int check(struct t3_device *dev, const struct t3_ring *ring, uint8_t ctx,
                 const struct t3_buffer *buffer, uint64_t epoch, struct t3_peer *next) {
  if (dev == 0 || !ring_is_valid(ring) || ring->device != dev->id) return T3_ERR_ARGUMENT;
  const int result = t3_check_begin(dev, ctx, buffer, epoch, ring->devices);
  if (result != T3_OK) return result;
  *next = ring->next;
  next->device = t3_ring_successor(ring);
  if (ring->devices > 1 && t3_check_peer(dev, buffer, next) != T3_OK) return T3_ERR_ARGUMENT;
  return t3_check_expected(buffer, ring->devices > 1 ? 2 : 1);
}

static int finish(struct t3_device *dev, const struct t3_ring *ring, uint8_t ctx) {
  const uint8_t feed = ring->devices > 1 ? t3_ring_predecessor(ring) : (uint8_t)T3_NO_PEER;
  return t3_context_configure(dev, ctx, feed);
}

int t3_ring_reduce_scatter(struct t3_device *dev, const struct t3_ring *ring, uint8_t ctx,
                           const struct t3_buffer *buffer, uint64_t epoch) {
  struct t3_peer next;
  int result = check(dev, ring, ctx, buffer, epoch, &next);
  if (result != T3_OK) return result;

  const uint32_t n = ring->devices;
  result = t3_context_begin(dev, ctx, buffer, epoch, n);
  const uint32_t all = dev->context[ctx].grid_x * dev->context[ctx].grid_y;
  for (uint32_t c = 0; c < n && result == T3_OK; c++) {
    const struct t3_range tiles = t3_ring_chunk(all, n, c);
    const uint32_t hops = hops_from(ring, c);
    if (n == 1) {
      result = t3_track_only(dev, ctx, c, &tiles, T3_STORE, 1, true);
    } else if (hops == 1) {
      result = t3_remote_map(dev, ctx, c, &tiles, T3_UPDATE, &next);
    } else if (hops == 0) {
      result = t3_track_only(dev, ctx, c, &tiles, T3_UPDATE, 2, true);
    } else {
      result = t3_dma_map(dev, ctx, c, &tiles, T3_UPDATE, 2, T3_UPDATE, &next);
    }
  }
  return result == T3_OK ? finish(dev, ring, ctx) : result;
}

int t3_ring_all_gather(struct t3_device *dev, const struct t3_ring *ring, uint8_t ctx,
                       const struct t3_buffer *buffer, uint64_t epoch) {
  struct t3_peer next;
  int result = check(dev, ring, ctx, buffer, epoch, &next);
  if (result != T3_OK) return result;

  const uint32_t n = ring->devices;
  result = t3_context_begin(dev, ctx, buffer, epoch, n);
  const uint32_t all = dev->context[ctx].grid_x * dev->context[ctx].grid_y;
  for (uint32_t c = 0; c < n && n > 1 && result == T3_OK; c++) {
    const struct t3_range tiles = t3_ring_chunk(all, n, c);
    const uint32_t hops = hops_from(ring, c);
    if (hops == 0) {
      result = t3_send_map(dev, ctx, c, &tiles, T3_STORE, &next);
    } else if (hops < n - 1) {
      result = t3_dma_map(dev, ctx, c, &tiles, T3_STORE, 1, T3_STORE, &next);
    } else {
      result = t3_track_only(dev, ctx, c, &tiles, T3_STORE, 1, true);
    }
  }
  return result == T3_OK ? finish(dev, ring, ctx) : result;
}
