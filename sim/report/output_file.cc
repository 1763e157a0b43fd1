#include "sim/report/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/report/usage_error.h"

namespace t3::sim {
namespace fs = std::filesystem;

OutputFile::OutputFile(const std::string& option, const std::string& path)
    : option_(option), path_(path) {
  std::error_code error;
  if (path.empty()) Fail(ENOENT);
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) Fail(EISDIR);
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) Fail(errno);
  target_ = fs::weakly_canonical(path, error).string();
  if (error) target_ = path;
  special_ = fs::exists(status) && !fs::is_regular_file(status);
  temporary_ = special_ ? target_ : fmt::format("{}.{}.part", target_, getpid());
  if (special_) return;
  const int file = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) Fail(errno);
  close(file);
  unlink(temporary_.c_str());
}

void OutputFile::Fail(int error) const {
  throw UsageError(
      fmt::format("{} {} cannot be written: {}", option_, path_, std::strerror(error)));
}

void OutputFile::Keep() {
  if (special_) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) Fail(errno);
}

void OutputFile::Write(const std::string& text) {
  const int file = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) Fail(errno);
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) {
      const int error = errno;
      close(file);
      Fail(error);
    }
    if (count > 0) done += static_cast<size_t>(count);
  }
  if (close(file) != 0) Fail(errno);
  Keep();
}

OutputFile::~OutputFile() {
  if (!special_) unlink(temporary_.c_str());
}

}  // namespace t3::sim
