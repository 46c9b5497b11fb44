import { type LiteralStyle, literalOf } from './literal.ts';
import type { SampleRequest } from './request.ts';

/** A language in which samples are shown. */
export interface Language {
  /** Name on the tab. */
  readonly title: string;
  /** Language of the fenced block. */
  readonly fence: string;
  /** Extension of source files, such as the client in `samples/`. */
  readonly extension: string;
  render(request: SampleRequest): string;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const double = (text: string): string => JSON.stringify(text);
const single = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
/** Writes a path. Each captured id is replaced by what `insert` returns. */
const withIds = (path: string, insert: (name: string) => string): string =>
  path.replace(/\{\{(\w+)\}\}/g, (_, name: string) => insert(name));
const hasIds = (path: string): boolean => path.includes('{{');
const constantName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const snakeName = (name: string): string => constantName(name).toLowerCase();
const LITERALS = { nothing: 'null', booleans: ['false', 'true'] } as const;

const json: LiteralStyle = {
  ...LITERALS,
  object: ['{', '}'],
  list: ['[', ']'],
  key: (name) => `${double(name)}: `,
  text: double,
  id: (name) => `"'"$${constantName(name)}"'"`,
  hasTrailingCommas: false,
  padding: ' ',
};

const curl: Language = {
  title: 'curl',
  fence: 'sh',
  extension: 'sh',
  render({ method, path, body, capture }) {
    const url = `"$BASE${withIds(path, (name) => `$${constantName(name)}`)}"`;
    const usesMethod = method === 'PATCH' || (method === 'POST' && body === undefined);
    const parts = [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an array of the shell
      'curl "${florin[@]}"',
      ...(usesMethod ? [`-X ${method}`] : []),
      url,
      ...(body === undefined ? [] : [`-d '${shellText(literalOf(body, json))}'`]),
    ];
    const command = parts.join(' ');
    return capture ? `${constantName(capture)}=$(${command} | id)` : command;
  },
};

/** Quotes apostrophes for a text in single quotes. The quotes around ids stay. */
const shellText = (text: string): string => text.replaceAll(/(?<!")'(?!")/g, "'\\''");

const typeScriptStyle: LiteralStyle = {
  ...json,
  key: (name) => `${IDENTIFIER.test(name) ? name : single(name)}: `,
  text: single,
  id: (name) => `${name}.data.id`,
  hasTrailingCommas: true,
};

const typeScript: Language = {
  title: 'TypeScript',
  fence: 'ts',
  extension: 'ts',
  render({ method, path, body, capture }) {
    const address = hasIds(path)
      ? `\`${withIds(path, (name) => `\${${name}.data.id}`)}\``
      : single(path);
    const content = body === undefined ? '' : `, ${literalOf(body, typeScriptStyle)}`;
    return `${capture ? `const ${capture} = ` : ''}await florin('${method}', ${address}${content});`;
  },
};

const pythonStyle: LiteralStyle = {
  ...json,
  id: (name) => `${snakeName(name)}["data"]["id"]`,
  nothing: 'None',
  booleans: ['False', 'True'],
  hasTrailingCommas: true,
  padding: '',
};

const python: Language = {
  title: 'Python',
  fence: 'python',
  extension: 'py',
  render({ method, path, body, capture }) {
    const address = hasIds(path)
      ? `f"${withIds(path, (name) => `{${snakeName(name)}['data']['id']}`)}"`
      : double(path);
    const content = body === undefined ? '' : `, ${literalOf(body, pythonStyle)}`;
    return `${capture ? `${snakeName(capture)} = ` : ''}florin("${method}", ${address}${content})`;
  },
};

const phpStyle: LiteralStyle = {
  ...json,
  object: ['[', ']'],
  key: (name) => `${single(name)} => `,
  text: single,
  id: (name) => `$${name}['data']['id']`,
  hasTrailingCommas: true,
  padding: '',
};

const php: Language = {
  title: 'PHP',
  fence: 'php',
  extension: 'php',
  render({ method, path, body, capture }) {
    const address = hasIds(path)
      ? `"${withIds(path, (name) => `{$${name}['data']['id']}`)}"`
      : single(path);
    const content = body === undefined ? '' : `, ${literalOf(body, phpStyle)}`;
    return `${capture ? `$${capture} = ` : ''}florin('${method}', ${address}${content});`;
  },
};

const goStyle: LiteralStyle = {
  ...json,
  object: ['object{', '}'],
  list: ['[]any{', '}'],
  id: (name) => `id(${name})`,
  nothing: 'nil',
  hasTrailingCommas: true,
  padding: '',
};

const go: Language = {
  title: 'Go',
  fence: 'go',
  extension: 'go',
  render({ method, path, body, capture }) {
    const parts = path.split(/(\{\{\w+\}\})/).filter(Boolean);
    const address = parts
      .map((part) => (hasIds(part) ? withIds(part, (name) => `id(${name})`) : double(part)))
      .join(' + ');
    const content = body === undefined ? 'nil' : literalOf(body, goStyle);
    return `${capture ? `${capture} := ` : ''}florin("${method}", ${address}, ${content})`;
  },
};

const rubyStyle: LiteralStyle = {
  ...json,
  key: (name) => (IDENTIFIER.test(name) ? `${name}: ` : `${double(name)} => `),
  id: (name) => `${snakeName(name)}["data"]["id"]`,
  nothing: 'nil',
  hasTrailingCommas: true,
};

const ruby: Language = {
  title: 'Ruby',
  fence: 'ruby',
  extension: 'rb',
  render({ method, path, body, capture }) {
    const address = `"${withIds(path, (name) => `#{${snakeName(name)}["data"]["id"]}`)}"`;
    const content = body === undefined ? '' : `, ${literalOf(body, rubyStyle)}`;
    return `${capture ? `${snakeName(capture)} = ` : ''}florin("${method}", ${address}${content})`;
  },
};

/** The languages of samples, in the order of their tabs. */
export const languages: readonly Language[] = [curl, typeScript, python, php, go, ruby];
