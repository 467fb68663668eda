// Every function of GLM's header.
#include <glm/glm.hpp>
#include <glm/gtc/type_ptr.hpp>

__global__ void vectors(glm::vec2 *a, glm::vec3 *b, glm::vec4 *c, glm::dvec3 *d, glm::ivec2 *e, float *y)
{
    glm::vec2 two = a[threadIdx.x], other(1, 2.0f);
    glm::vec3 three = b[threadIdx.x], one(1.0f), wide(two, 1.0f), front(2.0f, two);
    glm::vec4 four = c[threadIdx.x], long_one(three, 1), pairs(two, other), same(4.0f);
    three += one, three -= wide, three *= front, three /= 2.0f, three *= 3.0f;
    a[0] = glm::min(two, other) + glm::max(two, 0.5f) - glm::abs(two) * 2.0f / other + 1.0f;
    a[1] = 2.0f * glm::floor(two) + glm::ceil(two) + glm::round(two) + glm::fract(two) + glm::sign(-two);
    a[2] = glm::sin(two) + glm::cos(two) + glm::tan(two) + glm::exp(two) + glm::log(two) + glm::sqrt(two) + glm::inversesqrt(two);
    a[3] = glm::acos(two) + glm::asin(two) + glm::atan(two) + glm::atan(two, -two) + glm::exp2(two) + glm::log2(two) + glm::tanh(two) + glm::trunc(two);
    a[3] = glm::radians(two) + glm::degrees(two) + glm::mod(two, 2.0f) + glm::pow(two, other) + glm::clamp(two, 0.0f, 1.0f);
    b[0] = glm::cross(three, one) + glm::normalize(three) + glm::mix(three, one, 0.5f) + glm::reflect(three, one) + glm::vec3(four);
    c[0] = four + long_one * pairs + same + glm::vec4(glm::ivec4(1, 2, 3, 4));
    d[0] = glm::dvec3(three) * 2.0;
    e[0] = glm::ivec2(two) + 1;
    y[0] = glm::dot(two, other) + glm::dot(three, one) + glm::dot(four, same) + glm::length(three) + glm::distance(two, other) + three[1] + three.r;
    y[1] = glm::any(glm::lessThan(two, other)) + glm::all(glm::greaterThan(two, other)) + glm::any(glm::lessThanEqual(three, one));
    y[2] = glm::all(glm::greaterThanEqual(three, one)) + glm::any(glm::notEqual(three, one)) + glm::all(glm::equal(three, one));
    y[3] = (two == other) + (three != one) + glm::max(y[4], 0.0f) + glm::min(y[5], 1.0f) + glm::sqrt(y[6]) + glm::vec3::length();
    b[1] = glm::make_vec3(y) + glm::vec3(glm::make_vec2(y), glm::make_vec4(y).w);
    glm::value_ptr(two)[1] = 1, a[4] = two;
    static_assert(std::is_same<glm::vec<3, float>, glm::vec3>::value && std::is_same<glm::mat<3, 3, float>, glm::mat3>::value, "");
    static_assert(sizeof(glm::vec3) == 12 && sizeof(glm::mat3) == 36 && sizeof(glm::dvec4) == 32, "");
}

__global__ void matrices(glm::mat2 *a, glm::mat3 *b, glm::mat4 *c, glm::mat3x2 *d, glm::vec3 *y)
{
    glm::mat2 two = a[threadIdx.x];
    glm::mat3 three = b[threadIdx.x], one(1.0f), given(1, 0, 0, 0, 2.0f, 0, 0, 0, 3), columns(y[0], y[1], y[2]);
    three += one, three -= given, three *= columns, three *= 2.0f;
    a[0] = glm::inverse(two) * glm::determinant(two);
    b[0] = glm::transpose(three) * glm::inverse(three) + 2.0f * glm::matrixCompMult(one, given) - columns / 2.0f + -one;
    b[1] = glm::outerProduct(y[0], y[1]) + glm::mat3(c[0]) * glm::determinant(three);
    c[1] = glm::mat4(three), c[2] = c[0] * c[1];
    d[0] = two * d[1];
    y[0] = three * y[1] + y[2] * three + glm::vec3(c[0] * glm::vec4(y[3], 1.0f)), y[4] = three[2] * (float)glm::mat3::length();
    glm::value_ptr(three)[4] = 1, b[2] = three;
}

__global__ void product(const glm::mat3 *a, const glm::vec3 *x, glm::vec3 *y)
{
    y[0] = a[0] * x[0];
}
