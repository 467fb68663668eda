// thrust's complex numbers.
#pragma once

#include <complex>
namespace thrust {
using std::complex; using std::norm; using std::abs; using std::arg; using std::conj; using std::polar; using std::exp;
} // namespace thrust
