// Numbers that people type in the dashboard.
import { expect } from 'chai';
import { dashboardModule } from '../support/dashboard-module.js';

interface Numbers {
  readonly parseWholeNumber: (text: string) => number | undefined;
}

describe('a number that is typed in the dashboard', () => {
  let numbers: Numbers;
  before(async () => {
    numbers = await dashboardModule<Numbers>('numbers.ts');
  });

  const UNDERSTOOD: Readonly<Record<string, number>> = {
    '0': 0,
    '1000': 1000,
    ' 1000 ': 1000,
    '007': 7,
    '1,000': 1000,
    '1.000': 1000,
    '1 000': 1000,
    '1\u00A0000': 1000,
    '1\u202F000\u202F000': 1_000_000,
    '1’000’000': 1_000_000,
    "1'000": 1000,
    '1_000': 1000,
    '1.234.567': 1_234_567,
    '12,34,567': 1_234_567,
    '١٬٠٠٠': 1000,
    '۱۲۳': 123,
    '१,००,०००': 100_000,
    '１０００': 1000,
    '10k': 10_000,
    '10 K': 10_000,
    '1.5k': 1500,
    '1,5k': 1500,
    '1.15k': 1150,
    '2m': 2_000_000,
  };
  for (const [typed, value] of Object.entries(UNDERSTOOD))
    it(`is ${value}: ${JSON.stringify(typed)}`, () => expect(numbers.parseWholeNumber(typed)).to.equal(value));

  for (const typed of [
    '',
    ' ',
    'abc',
    '-5',
    '+5',
    '1.5',
    '1,0',
    '1.00',
    '1.0000',
    '1,000.000',
    '1.000,00',
    '1.234k',
    '10kk',
    '1e3',
    '0x10',
    '½',
    '1,,000',
    '1000,000',
    '99999999999999999999',
    '٫',
  ])
    it(`is none: ${JSON.stringify(typed)}`, () => expect(numbers.parseWholeNumber(typed)).to.equal(undefined));
});
