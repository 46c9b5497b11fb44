import { parseArgs } from 'node:util';

interface Option {
  /** Default value, or a function that computes it. */
  readonly default: string | (() => string);
  /** Description of the option in a few words. */
  readonly description: string;
}

interface Program<Name extends string> {
  /** Command that starts the program, such as `npm run bench`. */
  readonly command: string;
  /** Description of the program in a sentence. */
  readonly summary: string;
  readonly options: Readonly<Record<Name, Option>>;
}

/** Parses a program's options. On request prints the usage and exits; on invalid options also prints the error. */
export function readOptions<Name extends string>(program: Program<Name>): Record<Name, string> {
  const config = Object.entries<Option>(program.options).map(
    ([name, option]) => [name, { type: 'string', default: initialOf(option) }] as const,
  );
  try {
    const { values } = parseArgs({
      options: { ...Object.fromEntries(config), help: { type: 'boolean' } },
    });
    if (!values.help) return values as Record<Name, string>;
  } catch (error) {
    const [problem] = (error as Error).message.split('\n');
    console.error(`${problem}\n\n${usageOf(program)}`);
    process.exit(2);
  }
  console.log(usageOf(program));
  process.exit(0);
}

const initialOf = ({ default: initial }: Option): string =>
  typeof initial === 'string' ? initial : initial();

const renderDefault = ({ default: initial }: Option): string =>
  typeof initial === 'string' ? initial && ` (${initial})` : ' (random)';

function usageOf({ command, summary, options }: Program<string>): string {
  const lines = Object.entries(options).map(
    ([name, option]) => `  --${name.padEnd(10)} ${option.description}${renderDefault(option)}`,
  );
  return [`Usage: ${command} -- [options]`, summary, ...lines].join('\n');
}
