package jsonscan

import "math"

// scanNumber scans the number at i, whose first byte is '-' or a digit. It stops at the
// first byte that cannot continue the number: the caller checks what follows, and so
// refuses forms like 01 and 1x.
func scanNumber(data []byte, i int) int {
	if data[i] == '-' {
		i++
	}
	switch {
	case uint(i) >= uint(len(data)) || data[i]-'0' > 9:
		return ^i
	case data[i] == '0':
		i++
	default:
		i = skipDigits(data, i+1)
	}
	if uint(i) < uint(len(data)) && data[i] == '.' {
		i++
		if uint(i) >= uint(len(data)) || data[i]-'0' > 9 {
			return ^i
		}
		i = skipDigits(data, i+1)
	}
	if uint(i) < uint(len(data)) && data[i]|0x20 == 'e' {
		i++
		if uint(i) < uint(len(data)) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if uint(i) >= uint(len(data)) || data[i]-'0' > 9 {
			return ^i
		}
		i = skipDigits(data, i+1)
	}
	return i
}

func skipDigits(data []byte, i int) int {
	for uint(i) < uint(len(data)) && data[i]-'0' <= 9 {
		i++
	}
	return i
}

// Int consumes the value at the cursor if it is a number with an integral
// value in the range of int64, in any notation (12, 1.20e1, 1200e-2), and
// returns it. Otherwise it consumes nothing and returns 0, false, which is an
// error only if the value is a malformed number.
func (s *Scanner) Int() (int64, bool) {
	if s.Kind() != Number {
		return 0, false
	}
	start := s.pos
	end := scanNumber(s.data, start)
	if end < 0 {
		s.fail(^end, reasonNumber)
		return 0, false
	}
	v, ok := parseInt(s.data[start:end])
	if ok {
		s.pos = end
		s.state = s.after
	}
	return v, ok
}

// Index is Int for a number in its one plain notation. Parsers differ in whether 1.0, 1e0
// and -0 are integers: what one takes for the same place in a list, another cannot read.
func (s *Scanner) Index() (int64, bool) {
	start, state := s.pos, s.state
	n, ok := s.Int()
	if !ok {
		return 0, false
	}
	for i, c := range s.data[start:s.pos] {
		if c -= '0'; c > 9 && (i > 0 || n == 0) {
			s.pos, s.state = start, state
			return 0, false
		}
	}
	return n, true
}

// parseInt returns the value of num, which matches the grammar of numbers, if
// it is integral and fits.
func parseInt(num []byte) (int64, bool) {
	digits, negative := num, num[0] == '-'
	if negative {
		digits = digits[1:]
	}
	if len(digits) <= 18 { // cannot overflow
		var v int64
		for _, c := range digits {
			if c -= '0'; c > 9 {
				return parseScaled(digits, negative)
			}
			v = v*10 + int64(c)
		}
		if negative {
			v = -v
		}
		return v, true
	}
	return parseScaled(digits, negative)
}

// parseScaled is parseInt for a number of any notation and length, its sign
// removed. It takes the number as significand × 10^scale, where the significand
// has neither leading nor trailing zeros: such a number is integral if scale is
// not negative, and in range only if it has no more than 19 digits.
func parseScaled(num []byte, negative bool) (int64, bool) {
	mantissa, scale := num, int64(0)
	for i, c := range num {
		if c|0x20 == 'e' {
			mantissa, scale = num[:i], parseExponent(num[i+1:])
			break
		}
	}
	var (
		significand uint64
		digits      int   // in significand
		zeros       int64 // after significand, not yet part of it
		fraction    bool
	)
	for _, c := range mantissa {
		if c == '.' {
			fraction = true
			continue
		}
		if fraction {
			scale--
		}
		if c == '0' {
			if digits > 0 {
				zeros++
			}
			continue
		}
		if int64(digits)+zeros >= 19 {
			// A 20th significant digit: out of range, or else not integral,
			// unless a negative scale cuts it down, and then it is not zero.
			return 0, false
		}
		for ; zeros > 0; zeros-- {
			significand *= 10
			digits++
		}
		significand = significand*10 + uint64(c-'0')
		digits++
	}
	if digits == 0 {
		return 0, true
	}
	scale += zeros
	if scale < 0 || int64(digits)+scale > 19 {
		return 0, false
	}
	for ; scale > 0; scale-- {
		significand *= 10
	}
	switch {
	case negative && significand <= -math.MinInt64:
		return -int64(significand), true
	case !negative && significand <= math.MaxInt64:
		return int64(significand), true
	}
	return 0, false
}

// parseExponent returns the value of an exponent, saturated far beyond what the
// digits of any mantissa can make up for.
func parseExponent(exp []byte) int64 {
	const limit = math.MaxInt64 / 16
	negative := exp[0] == '-'
	if negative || exp[0] == '+' {
		exp = exp[1:]
	}
	var v int64
	for _, c := range exp {
		if v = v*10 + int64(c-'0'); v > limit {
			v = limit
			break
		}
	}
	if negative {
		return -v
	}
	return v
}
