// Ways to write a county's name that leave it the same county. Made by rule from the
// name alone; none needs to know the place.
import fc from 'fast-check'
import type { County } from './census_counties.ts'

export const spellings = ({ name }: County): string[] => [
  ...rewritten(name),
  ...saintly(name),
  ...saintly(name).map((saint) => saint.toUpperCase()),
]

/** Differences that never matter, whatever the words are. */
export const rewritten = (text: string): string[] => [
  text.toUpperCase(),
  text.toLowerCase(),
  withoutAccents(text),
  withoutAccents(text).toUpperCase(),
  text.normalize('NFD'),
  ` ${text.replaceAll(' ', '  ')}\t`,
  text.replaceAll(' ', '\u00a0'),
  text.replaceAll(' ', '-'),
  text.replaceAll(' ', '\u2013'),
  text.replaceAll('-', ' '),
  text.replaceAll('-', '\u2014'),
  text.replaceAll("'", '\u2019'),
  text.replaceAll("'", '\u02bb'),
  text.replaceAll("'", ''),
  text.replaceAll('.', ''),
  fullWidth(text),
]

/** Only where the map has a saint; also without any space. */
const saintly = (name: string): string[] => [
  name.replaceAll(' ', ''),
  name.replace(/^St\b\.?/, 'Saint').replace(/^Ste\b\.?/, 'Sainte'),
  name.replace(/^St\b\.?/, 'Saint').replace(/^Ste\b\.?/, 'Sainte').replaceAll(' ', ''),
  name.replace(/^(Ste?)\b\.? /, '$1-'),
  name.replace(/^St\. /, 'Saint-').replace(/^Ste\. /, 'Sainte-'),
]

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0))

/** With one space too many, at each place in turn. */
export const parted = (name: string): string[] =>
  Array.from({ length: name.length + 1 }, (_, at) => `${name.slice(0, at)} ${name.slice(at)}`)

const noise = [
  '', '', '', ' ', '-', '.', ',', '(', '\u2019', '\u0301', '\u00a0', '\u200b', '\u02bb',
]

/** The county, and its name with signs, accents and capitals strewn in at random. */
export const withNoise = ({ state, name }: County) =>
  fc
    .array(fc.record({ sign: fc.constantFrom(...noise), upper: fc.boolean() }), {
      minLength: name.length,
      maxLength: name.length,
    })
    .map((changes) => ({ state, name, noisy: strew(name, changes) }))

const strew = (name: string, changes: { sign: string; upper: boolean }[]) =>
  changes
    .map(({ sign, upper }, i) => {
      const letter = name.charAt(i)
      return (upper ? letter.toUpperCase() : letter.toLowerCase()) + sign
    })
    .join('')
