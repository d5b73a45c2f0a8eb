// Arbitraries of values: good ones of a schema, and ones that break it.
import fc from 'fast-check';
import { CREDENTIALS, percentEncoded, placeholder } from './case.js';
import type { Schema } from './document.js';

/** Drawings this large take a core for a second; the parameters matter, not the pixels. */
const MAX_USUAL_NUMBER = 600;

export const repeated = (text: string, times: number) => text.repeat(times);

/** Where no credential belongs. Not the password: it is short enough to be named like a field that is not known. */
export const strayCredential = fc
  .constantFrom(...CREDENTIALS.filter((name) => name !== 'email' && name !== 'password'))
  .map((name) => placeholder(name));

const NAMES_OF_OBJECTS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

export const objectName = fc.constantFrom(...NAMES_OF_OBJECTS);

/** Decoded text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 3, arbitrary: objectName },
  { weight: 2, arbitrary: strayCredential },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\0',
      'github\0.svg',
      '\ud800',
      '\udfff\ud800',
      '\u202egithub',
      '\u0130\u0131\ufb01\u00df',
      '\uff47\uff49\uff54hub',
      'e\u0301'.repeat(40),
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      '\x01\x1b[2J\x7f\r\n',
      '\r\nX-Injected: 1\r\n\r\n',
      '../../../etc/passwd',
      '..',
      '%',
      '${jndi:ldap://127.0.0.1/x}',
      "' OR 1=1 --",
      '" OR "" = "',
      '<script>alert(1)</script>',
      '(((((((((((a+)+)+)+)+$',
      '[object Object]',
      'null',
      'a,b;c|d',
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', '0', '-', '.', '\u00e9', '\u{1f600}', ' ', 'xn--', 'a.'),
        fc.integer({ min: 60, max: 3000 }),
      )
      .map(([unit, times]) => repeated(unit, times)),
  },
);

/** As it stands in an address: what no encoder gives. */
export const hostileEncoding = fc.constantFrom(
  '%',
  '%z',
  '%zz',
  '%0',
  '%00',
  '%c0%af',
  '%c1%81',
  '%e0%80%af',
  '%f0%80%80%af',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%ff%fe',
  '%u0041',
  '%2525',
  '%2e%2e%2f',
  '..%2f..%2fhealthz',
  '..%5c..',
  'a%2fb',
  'a/b',
  'github/',
  'github;a=b',
  '+',
  '"',
  '<>',
  '{}|\\^`',
  '\xe9',
  '\xff\xfe',
  '[',
  '@',
  '#',
);

/** Whole numbers that are none, or beyond every limit. */
const NO_INTEGERS = [
  '',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e1',
  '1e309',
  '0x10',
  '0.5',
  '8.0',
  '1,000',
  '1_000',
  '+9',
  '٣',
  '９',
  '9'.repeat(400),
  `-${'9'.repeat(30)}`,
  '9007199254740993',
  '2147483648',
  '4294967304',
  '18446744073709551624',
  'null',
  'true',
  '[]',
  '{}',
];

/** Text of a value that the schema rules out; undefined when every short text is good. */
export function badText({
  type,
  enum: allowed,
  minimum,
  maximum,
  maxLength,
}: Schema): fc.Arbitrary<string> | undefined {
  if (allowed)
    return fc.constantFrom(
      '',
      '0',
      'x',
      `${String(allowed[0])}x`,
      ` ${String(allowed[0])}`,
      `${String(allowed[0])},${String(allowed[0])}`,
    );
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return fc.constantFrom(
      ...NO_INTEGERS,
      `${minimum - 1}`,
      `${maximum + 1}`,
      `${minimum}.5`,
      `-${maximum}`,
      ` ${maximum}`,
    );
  }
  return maxLength === undefined || maxLength > 3000 ? undefined : fc.constant('a'.repeat(maxLength + 1));
}

/** A lookahead in front, which the generator does not know; what it generates is shorter. */
const LENGTH_LIMIT = /\(\?=\.\{[\d,]+\}\$\)/g;

/** Text of a value that the schema allows. */
export function goodText(schema: Schema): fc.Arbitrary<string> {
  const { type, enum: allowed, minimum = 0, maximum = 100, maxLength = 40, pattern } = schema;
  if (allowed) return fc.constantFrom(...allowed.map(String));
  if (type === 'integer')
    return fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, MAX_USUAL_NUMBER)) }).map(String);
  const example = exampleOf(schema);
  const other =
    pattern === undefined
      ? fc.string({ minLength: 1, maxLength: Math.min(maxLength, 40) })
      : fc.stringMatching(new RegExp(pattern.replaceAll(LENGTH_LIMIT, '')));
  return example === undefined
    ? other
    : fc.oneof({ weight: 4, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: other });
}

function exampleOf({ example, description }: Schema): string | undefined {
  return typeof example === 'string' ? example : /Example: `([^`]+)`/.exec(description ?? '')?.[1];
}

/** JSON texts: lone surrogates and numbers as no object could hold them. */
const JSON_ODDITIES = [
  '"\\ud800"',
  '"\\u0000"',
  '1e400',
  '-0',
  '1E-400',
  '0.1e1',
  '"\\ud83d\\ude00"',
  '123456789012345678901234567890',
  '[]',
  '{}',
  'null',
  '""',
  '[[]]',
  '{"$ne":null}',
  '{"toString":1}',
  '{"__proto__":{"admin":true}}',
  '{"length":100,"0":"github"}',
];

/** Text of any JSON value. */
export const jsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.json({ maxDepth: 3, stringUnit: 'binary' }) },
  { weight: 2, arbitrary: fc.constantFrom(...JSON_ODDITIES) },
  { weight: 2, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(10, 1000, 20_000).map((depth) => `${repeated('[', depth)}${repeated(']', depth)}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(10, 1000, 9000).map((depth) => `${repeated('{"a":', depth)}1${repeated('}', depth)}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('0', '""', 'null', '[]', '"github"'), fc.constantFrom(101, 1000, 9000, 32_700))
      .map(([unit, times]) => `[${repeated(`${unit},`, times - 1)}${unit}]`),
  },
);

export const goodJson = (schema: Schema): fc.Arbitrary<string> => {
  const { type, items, example } = schema;
  if (example !== undefined) return fc.constant(JSON.stringify(example));
  if (type === 'array' && items)
    return fc.array(goodText(items), { minLength: 1, maxLength: 4 }).map((list) => JSON.stringify(list));
  return goodText(schema).map((text) => (type === 'integer' ? text : JSON.stringify(text)));
};

/** JSON of a type that the schema rules out. */
export function badJson({ type, items, maxItems }: Schema): fc.Arbitrary<string> {
  const others = [
    ['string', '"text"'],
    ['integer', '7'],
    ['integer', '0.5'],
    ['boolean', 'true'],
    ['array', '[[]]'],
    ['array', '[null]'],
    ['object', '{"a":1}'],
    ['null', 'null'],
  ].filter(([other]) => other !== type);
  const texts = others.map(([, text = '']) => text);
  if (items)
    texts.push(
      `[${repeated('0,', 32_000)}0]`,
      `[${repeated('{},', 5000)}{}]`,
      '[]',
      `[${repeated('"github",', maxItems ?? 6000)}"github"]`,
    );
  return fc.constantFrom(...texts);
}

export const encodedParameter = (name: string, value: string) => `${percentEncoded(name)}=${percentEncoded(value)}`;
