// A FIFO that never allocates after its construction.
#pragma once

#include <cstddef>
#include <vector>

namespace t3::sim {

// Holds up to capacity() items; the room is rounded up to a power of two.
template <typename T>
class FixedQueue {
 public:
  explicit FixedQueue(size_t capacity) : capacity_(capacity) {
    size_t room = 1;
    while (room < capacity) room *= 2;
    items_.resize(room);
  }

  size_t capacity() const { return capacity_; }
  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ >= capacity_; }

  // The i-th oldest item, i < size().
  T& operator[](size_t i) { return items_[(head_ + i) & (items_.size() - 1)]; }
  const T& operator[](size_t i) const { return items_[(head_ + i) & (items_.size() - 1)]; }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }

  // Adds an item at the end and returns it, with what was last in its place: the
  // caller fills it. Requires !full(). The other items stay where they are.
  T& Append() { return (*this)[count_++]; }
  // Removes the oldest item. Requires !empty().
  void Pop() {
    head_ = (head_ + 1) & (items_.size() - 1);
    --count_;
  }

 private:
  std::vector<T> items_;
  size_t capacity_;
  size_t head_ = 0, count_ = 0;
};

}  // namespace t3::sim
