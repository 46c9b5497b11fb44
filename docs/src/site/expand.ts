import { languages } from '../samples/languages.ts';
import { parseRequest } from '../samples/request.ts';
import { DRAIN } from '../samples/steps.ts';
import { codeGroup } from './code-group.ts';
import { replaceFences } from './fences.ts';

/** Text that a directive of a page stands for, by the directive's name. */
export type Directives = Readonly<Record<string, (argument: string) => string>>;

const DIRECTIVE = /^<!-- @([a-z-]+)(?: (.+?))? -->$/gm;

/**
 * Expands a page: each `api` block becomes its request in all languages, and each directive its text.
 * Throws an error for an unknown directive or a request that cannot be parsed.
 */
export const expandPage = (markdown: string, directives: Directives): string =>
  replaceFences(markdown.replaceAll(`${DRAIN}\n`, ''), ({ kind, flags, content }) => {
    if (kind === 'api') return flags.includes('hidden') ? '' : renderSample(content);
    if (kind === 'mermaid') return fenced(`${kind} ${flags}`, content);
    return fenced(kind === 'response' ? 'json' : kind, content);
  }).replace(DIRECTIVE, (_, name: string, argument = '') => {
    const render = directives[name];
    if (!render) throw new Error(`There is no directive "${name}".`);
    return render(argument);
  });

const fenced = (language: string, content: string): string =>
  `\`\`\`${language}\n${content}\n\`\`\``;

function renderSample(block: string): string {
  const request = parseRequest(block);
  return codeGroup(languages, (language) => language.render(request));
}
