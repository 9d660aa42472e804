package call

import "unicode"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// hidden reports whether a character cannot be seen, or only changes the one
// before it.
func hidden(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Variation_Selector)
}

// latin returns the Latin letter that looks like r, or r.
func latin(r rune) rune {
	switch {
	case r >= 0xff01 && r <= 0xff5e: // full width
		return r - 0xff01 + '!'
	case r >= 0x1d400 && r < 0x1d6a4: // mathematical alphabets
		return rune(alphabet[(r-0x1d400)%52])
	case r >= 0x1d7ce && r <= 0x1d7ff: // mathematical digits
		return '0' + (r-0x1d7ce)%10
	case r >= 0x24b6 && r <= 0x24e9: // in circles
		return rune(alphabet[r-0x24b6])
	case r >= 0x249c && r <= 0x24b5: // in parentheses
		return 'a' + r - 0x249c
	case r >= 0x1f110 && r <= 0x1f129, r >= 0x1f130 && r <= 0x1f149, r >= 0x1f150 && r <= 0x1f169, r >= 0x1f170 && r <= 0x1f189:
		return 'A' + (r-0x1f110)%32 // in parentheses, squares and black circles
	case r >= 0x1f1e6 && r <= 0x1f1ff: // of flags
		return 'A' + r - 0x1f1e6
	}
	if l, ok := lookalikes[r]; ok {
		return l
	}
	return r
}

// lookalikes are letters of other scripts by what they look like.
var lookalikes = func() map[rune]rune {
	table := map[rune]rune{}
	for l, others := range map[rune]string{
		'a': "аɑαᴀᵃₐⱥ⍺ａ", 'b': "ьвβʙᵇƅᏏЬЪ", 'c': "сᴄᶜⅽϲҫ¢", 'd': "ԁɗᴅᵈⅾժᏧ", 'e': "еєεᴇᵉₑеҽ℮ℯёəҿ", 'f': "ꜰᶠƒſẝϝք", 'g': "ɡɢᵍցℊԍ",
		'h': "һհʜʰₕℎнԋᏂ", 'i': "іıɪⁱᵢιⅰӏℹꙇɩı", 'j': "јʝᴊʲⱼϳյ", 'k': "кᴋᵏₖκκ", 'l': "ℓⅼʟˡₗӏǀ|ļ", 'm': "мᴍᵐₘⅿ", 'n': "ոɴⁿₙпηռᴎ",
		'o': "оοᴏᵒₒօℴσ๐০०ഠ໐ө", 'p': "рρᴘᵖₚƿϱ", 'q': "ԛգզʠ", 'r': "гʀʳᵣᴦⲅꭇ", 's': "ѕꜱˢₛʂսꮪ", 't': "тᴛᵗₜτƭ", 'u': "υᴜᵘᵤʋսцυ",
		'v': "ѵᴠᵛᵥνⅴ", 'w': "ԝᴡʷωшɯա", 'x': "хˣₓχⅹ×ҳ", 'y': "уʏʸγүყ", 'z': "ᴢᶻʐᴢ",
		'A': "АΑᎪᗅꓮ𐊠", 'B': "ВΒᏴᗷℬꓐ", 'C': "СϹᏟⅭℂℭꓚ", 'D': "ᎠᗞⅮꓓ", 'E': "ЕΕᎬℰꓰ", 'F': "ϜᖴℱꓝҒ", 'G': "ԌᏀꓖ", 'H': "НΗᎻℋℌℍꓧ", 'I': "ІΙⅠℐℑӀ",
		'J': "ЈᎫꓙЈ", 'K': "КΚᏦKꓗ", 'L': "ᏞⅬℒꓡ", 'M': "МΜᎷⅯℳꓟ", 'N': "ΝℕꓠИ", 'O': "ОΟՕⲞꓳ", 'P': "РΡᏢℙꓑ", 'Q': "ԚℚꝖ", 'R': "Ꭱℛℜℝᖇꓣ", 'S': "ЅՏᏚꓢ",
		'T': "ТΤᎢꓔ", 'U': "ՍᑌꓴՍ", 'V': "ѴᏙⅤꓦ", 'W': "ԜᎳꓪ", 'X': "ХΧⅩꓫ", 'Y': "УΥҮꓬ", 'Z': "ΖᏃℤℨꓜ",
		'-': "‐‑‒–—−﹣－⁃", '_': "＿‿⁀﹍﹎﹏ˍ", '.': "․．。", ':': "：∶ː", '/': "／∕⁄",
	} {
		for _, r := range others {
			if _, ok := table[r]; !ok && r >= 0x80 {
				table[r] = l
			}
		}
	}
	table['ѕ'], table['ս'], table['ӏ'], table['ь'] = 's', 'u', 'l', 'b'
	return table
}()
