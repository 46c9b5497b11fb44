import { parseArgs } from 'node:util';

interface Option {
  /** Default value, or a function that computes it. */
  readonly default: string | (() => string);
  /** Description of the option in a few words. */
  readonly description: string;
  /** Reads the value; absent: the text. Throws an error whose message names option, value and range. */
  readonly parse?: Parse<unknown>;
}

/** Reads an option's text. `name` is for the message of the error, such as `--rounds`. */
export type Parse<Value> = (text: string, name: string) => Value;

interface Program<Options extends Readonly<Record<string, Option>>> {
  /** Command that starts the program, such as `npm run bench`. */
  readonly command: string;
  /** Description of the program in a sentence. */
  readonly summary: string;
  readonly options: Options;
}

type Values<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly parse: Parse<infer Value> }
    ? Value
    : string;
};

/** Parses a program's options. On request prints the usage and exits; exits with 2 if an option is invalid. */
export function readOptions<Options extends Readonly<Record<string, Option>>>(
  program: Program<Options>,
): Values<Options> {
  const texts = orRefuse(
    () => readTexts(program.options),
    () => `\n\n${usageOf(program)}`,
  );
  if (texts.help) {
    console.log(usageOf(program));
    process.exit(0);
  }
  return orRefuse(() => parseTexts(program.options, texts)) as Values<Options>;
}

function parseTexts(options: Readonly<Record<string, Option>>, texts: Texts): object {
  const values = Object.entries(options).map(([name, { parse }]) => {
    const text = String(texts[name]);
    return [name, parse ? parse(text, `--${name}`) : text];
  });
  return Object.fromEntries(values);
}

function orRefuse<Result>(read: () => Result, advice = () => ''): Result {
  try {
    return read();
  } catch (error) {
    console.error(`${(error as Error).message}${advice()}`);
    process.exit(2);
  }
}

type Texts = Readonly<Record<string, string | boolean | undefined>>;

function readTexts(options: Readonly<Record<string, Option>>): Texts {
  const config = Object.entries(options).map(
    ([name, option]) => [name, { type: 'string', default: initialOf(option) }] as const,
  );
  const { values } = parseArgs({
    options: { ...Object.fromEntries(config), help: { type: 'boolean' } },
  });
  return values;
}

/** Reads a whole number within a range. */
export const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text, name) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    const range = [min, max].map((limit) => limit.toLocaleString('en-US')).join(' to ');
    throw new Error(`${name} must be a whole number from ${range}; it is "${text}".`);
  };

const initialOf = ({ default: initial }: Option): string =>
  typeof initial === 'string' ? initial : initial();

const renderDefault = ({ default: initial }: Option): string =>
  typeof initial === 'string' ? initial && ` (${initial})` : ' (random)';

function usageOf({ command, summary, options }: Program<Readonly<Record<string, Option>>>): string {
  const lines = Object.entries(options).map(
    ([name, option]) => `  --${name.padEnd(10)} ${option.description}${renderDefault(option)}`,
  );
  return [`Usage: ${command} -- [options]`, summary, ...lines].join('\n');
}
