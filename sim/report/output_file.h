// A report file that appears complete or not at all.
#pragma once

#include <string>

namespace t3::sim {

class OutputFile {
 public:
  // Tries whether `path` can be written, without leaving anything behind.
  // `option` (--json) begins the sentence of an error. Throws UsageError.
  OutputFile(const std::string& option, const std::string& path);

  // For a writer that needs a name: a file beside the target. Keep() turns it
  // into the target; otherwise the destructor removes it.
  const std::string& temporary() const { return temporary_; }
  void Keep();

  // Writes the whole text and makes it the target. Throws UsageError.
  void Write(const std::string& text);

  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

 private:
  [[noreturn]] void Fail(int error) const;

  std::string option_;
  std::string path_;    // as given, for messages
  std::string target_;  // with symbolic links followed
  std::string temporary_;
  bool special_ = false;  // a device or pipe: written in place
};

}  // namespace t3::sim
