// Tensors as kernels see them: an address with sizes and strides, the last two in memory for `TensorAccessor` and by value for
// `PackedTensorAccessor`. Types of hosts are empty.
#pragma once

namespace c10 {
enum class ScalarType : signed char {
    Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16
};
constexpr ScalarType kByte = ScalarType::Byte, kChar = ScalarType::Char, kShort = ScalarType::Short, kInt = ScalarType::Int;
constexpr ScalarType kLong = ScalarType::Long, kHalf = ScalarType::Half, kFloat = ScalarType::Float, kDouble = ScalarType::Double;
constexpr ScalarType kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16;
struct Device {};
struct Scalar {};
struct TensorOptions {};
template <class T> struct ArrayRef {};
typedef ArrayRef<int64_t> IntArrayRef;
} // namespace c10

namespace at {
struct TensorBase {};
struct Tensor : TensorBase {};
struct Generator {};

template <class T> struct DefaultPtrTraits { typedef T* PtrType; };
template <class T> struct RestrictPtrTraits { typedef T* __restrict PtrType; };

template <class T, size_t axes, template <class> class Traits = DefaultPtrTraits, class Index = int64_t> struct TensorAccessor;
// The element behind an address on the last axis, and a part of the tensor on others.
template <class T, size_t axes, template <class> class Traits, class Index> struct autotune_part {
    typedef TensorAccessor<T, axes - 1, Traits, Index> type;
    static AUTOTUNE_BOTH_METHOD type at(T* data, const Index* sizes, const Index* strides) { return type(data, sizes + 1, strides + 1); }
};
template <class T, template <class> class Traits, class Index> struct autotune_part<T, 1, Traits, Index> {
    typedef T& type;
    static AUTOTUNE_BOTH_METHOD T& at(T* data, const Index*, const Index*) { return *data; }
};
#define AUTOTUNE_READ \
    typedef typename Traits<T>::PtrType PtrType; \
    typedef autotune_part<T, axes, Traits, Index> Part; \
    AUTOTUNE_BOTH_METHOD Index size(Index axis) const { return sizes_[axis]; } \
    AUTOTUNE_BOTH_METHOD Index stride(Index axis) const { return strides_[axis]; } \
    AUTOTUNE_BOTH_METHOD PtrType data() const { return data_; } \
    AUTOTUNE_BOTH_METHOD typename Part::type operator[](Index at) const { return Part::at(data_ + strides_[0] * at, sizes_, strides_); }
template <class T, size_t axes, template <class> class Traits, class Index> struct TensorAccessor {
    AUTOTUNE_READ
    PtrType data_;
    const Index* sizes_;
    const Index* strides_;
    AUTOTUNE_BOTH_METHOD TensorAccessor(PtrType data, const Index* sizes, const Index* strides) : data_(data), sizes_(sizes), strides_(strides) {}
};
template <class T, size_t axes, template <class> class Traits = DefaultPtrTraits, class Index = int64_t> struct GenericPackedTensorAccessor {
    AUTOTUNE_READ
    PtrType data_;
    Index sizes_[axes];
    Index strides_[axes];
};
#undef AUTOTUNE_READ
template <class T, size_t axes, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, axes, Traits, Index>;
template <class T, size_t axes, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, axes, Traits, int32_t>;
template <class T, size_t axes, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, axes, Traits, int64_t>;

namespace detail {
template <class T, int length> struct Array {
    T data[length];
    AUTOTUNE_BOTH_METHOD T& operator[](int at) { return data[at]; }
    AUTOTUNE_BOTH_METHOD const T& operator[](int at) const { return data[at]; }
    static AUTOTUNE_CONSTEXPR int size() { return length; }
};
} // namespace detail

namespace cuda { namespace detail {
constexpr int CUDA_NUM_THREADS = 1024;
constexpr int MAX_TENSORINFO_DIMS = 25;
template <class T, class Index> struct TensorInfo {
    T* data;
    Index sizes[MAX_TENSORINFO_DIMS];
    Index strides[MAX_TENSORINFO_DIMS];
    int dims;
    AUTOTUNE_BOTH_METHOD bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};
// The place of an element: a division for each axis but the outermost. With -1, `dims` says the number of axes.
template <class T, class Index, int axes> struct IndexToOffset {
    static AUTOTUNE_BOTH_METHOD Index get(Index element, const TensorInfo<T, Index>& info) {
        Index place = 0;
#pragma unroll
        for (int axis = (axes < 0 ? info.dims : axes) - 1; axis > 0; --axis) {
            place += element % info.sizes[axis] * info.strides[axis];
            element /= info.sizes[axis];
        }
        return place + element * info.strides[0];
    }
};
} } // namespace cuda::detail

namespace native { namespace memory {
template <class T, int length> struct alignas(sizeof(T) * length) aligned_vector { T val[length]; };
} } // namespace native::memory
} // namespace at
