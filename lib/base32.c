/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include "lib/base32.h"
#include "lib/ct.h"

enum {
    SYMBOL_BITS = 5,
    GROUP = 8, /* symbols of five bytes */
};

/* What one character is: each member a mask, value where symbol is ones. */
struct character {
    uint64_t symbol;
    uint64_t value;
    uint64_t padding;
    uint64_t separator;
};

/* The state of a decoder. Positions are hidden like the bytes themselves. */
struct decoder {
    uint64_t symbols;  /* so far */
    uint64_t position; /* of the next byte */
    uint64_t buffer;   /* bits not yet written */
    uint64_t bits;     /* how many */
    uint64_t ended;    /* mask: padding was seen */
    uint64_t foreign;  /* mask: something that must not stand where it does */
};

static void
decoder_wipe(struct decoder *decoder)
{
    secmem_wipe(decoder, sizeof(*decoder));
}

static uint8_t
symbol_character(uint32_t value)
{
    uint64_t digit = ct_mask_less(25, value);

    return (uint8_t)ct_select(digit, '2' + value - 26, 'A' + value);
}

void
base32_encode(const uint8_t *bytes, size_t length, char *ret)
{
    uint32_t buffer = 0;
    unsigned bits = 0; /* depends on the length alone */

    for (size_t i = 0; i < length; i++) {
        buffer = buffer << 8 | bytes[i];
        for (bits += 8; bits >= SYMBOL_BITS; bits -= SYMBOL_BITS)
            *ret++ =
                (char)symbol_character((buffer >> (bits - SYMBOL_BITS)) & 0x1f);
    }
    if (bits > 0)
        *ret++ =
            (char)symbol_character((buffer << (SYMBOL_BITS - bits)) & 0x1f);
    *ret = '\0';
}

/* Ones when first <= c <= last. */
static uint64_t
mask_between(uint64_t c, uint64_t first, uint64_t last)
{
    return ct_mask_less(c - first, last - first + 1);
}

static struct character
character_read(uint8_t c)
{
    struct character ret;
    uint64_t upper = mask_between(c, 'A', 'Z');
    uint64_t lower = mask_between(c, 'a', 'z');
    uint64_t digit = mask_between(c, '2', '7');

    ret.symbol = upper | lower | digit;
    ret.value = (upper & (c - (uint64_t)'A')) | (lower & (c - (uint64_t)'a')) |
                (digit & (c - (uint64_t)'2' + 26));
    ret.padding = ct_mask_equal(c, '=');
    ret.separator = ct_mask_equal(c, ' ') | ct_mask_equal(c, '\t') |
                    ct_mask_equal(c, '\r') | ct_mask_equal(c, '\n') |
                    ct_mask_equal(c, '-');
    return ret;
}

/*
 * Writes the eight highest waiting bits to the decoder's position, where full
 * is ones. Every position is written, most of them with what they hold: where
 * separators stand in the text must not show in the addresses either.
 */
static void
decoder_write(const struct decoder *decoder, uint64_t full, struct secret *ret)
{
    uint64_t byte = decoder->buffer >> (decoder->bits & 7);

    for (size_t i = 0; i < SECRET_MAX; i++) {
        uint64_t here = full & ct_mask_equal(i, decoder->position);

        ret->bytes[i] = (uint8_t)ct_select(here, byte, ret->bytes[i]);
    }
}

static void
decoder_take(struct decoder *decoder, uint8_t c, struct secret *ret)
{
    struct character character = character_read(c);
    uint64_t full;

    decoder->foreign |=
        ~(character.symbol | character.padding | character.separator);
    decoder->foreign |= character.symbol & decoder->ended;
    decoder->ended |= character.padding;
    decoder->buffer = ct_select(
        character.symbol, (decoder->buffer << SYMBOL_BITS) | character.value,
        decoder->buffer);
    decoder->bits += character.symbol & SYMBOL_BITS;
    decoder->symbols += character.symbol & 1;

    full = ~ct_mask_less(decoder->bits, 8);
    decoder->bits -= full & 8;
    decoder_write(decoder, full, ret);
    decoder->position += full & 1;
    decoder->buffer &= 0xff;
}

/* RFC 4648 section 6: a last group of 1, 3 or 6 symbols holds no whole byte
 * that a shorter one would not; section 3.5: its spare bits are zero. */
static uint64_t
decoder_misshapen(const struct decoder *decoder)
{
    uint64_t last = decoder->symbols % GROUP;
    uint64_t spare = decoder->buffer & ((UINT64_C(1) << decoder->bits) - 1);

    return ct_mask_equal(last, 1) | ct_mask_equal(last, 3) |
           ct_mask_equal(last, 6) | ~ct_mask_zero(spare);
}

enum err
base32_decode(const char *text, size_t length, struct secret *ret)
{
    AUTO(decoder_wipe) struct decoder decoder = {0};
    AUTO(secret_wipe) struct secret secret = {0};

    secret_wipe(ret);
    for (size_t i = 0; i < length; i++)
        decoder_take(&decoder, (uint8_t)text[i], &secret);
    decoder.foreign |= decoder_misshapen(&decoder);
    /* Only now is it told whether the text was valid, as promised. */
    if (decoder.foreign != 0)
        return ERR_INVALID;
    if (decoder.position > SECRET_MAX)
        return ERR_SPACE;
    secret.length = decoder.position;
    *ret = secret;
    return ERR_OK;
}
