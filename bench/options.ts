import { wholeNumber } from '../scripts/options.ts';

const SECONDS_MAX = 3_600;
const ROUNDS_MAX = 1_000;
const PAYMENTS_MAX = 100_000_000;

/** Reads the seconds of a measurement. */
export const parseSeconds = wholeNumber(1, SECONDS_MAX);
const parseRounds = wholeNumber(1, ROUNDS_MAX);
export const parsePayments = wholeNumber(1, PAYMENTS_MAX);

/** The options `--seconds` and `--rounds`. `measured` names what is measured in a round, such as "row". */
export const roundOptions = (measured: string) => ({
  seconds: {
    default: '5',
    description: `seconds to measure each ${measured} in a round`,
    parse: parseSeconds,
  },
  rounds: {
    default: '3',
    description: `number of measurements of each ${measured}`,
    parse: parseRounds,
  },
});
