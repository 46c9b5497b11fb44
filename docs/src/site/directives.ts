import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxCards, sandboxNetworkTokens } from '@florin/contract/card/sandbox-cards.ts';
import { escapeHtml } from '@florin/contract/html.ts';
import { isCurrentType, type Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { type SandboxAmount, sandboxAmounts } from '@florin/contract/sandbox-amounts.ts';
import { secretFileOf } from '@florin/contract/secret-variables.ts';
import { type Simulation, simulations } from '@florin/contract/simulate.ts';
import type { Variable } from '@florin/contract/variable.ts';
import { type VariableName, variables } from '@florin/contract/variables.ts';
import formTexts from '@florin/hosted-fields/locales/en.json' with { type: 'json' };
import { type Metric, metrics } from '@florin/server/http/health/metrics.ts';
import { errorTables } from '../reference/error-pages.ts';
import { type Language, languages } from '../samples/languages.ts';
import { alertTable } from './alerts.ts';
import { codeGroup } from './code-group.ts';
import type { Directives } from './expand.ts';
import { secondAccountTable } from './second-account.ts';
import { markdownTable } from './table.ts';

/** Programs that pages show whole. */
export const SAMPLES = join(import.meta.dirname, '..', '..', 'samples');

/** Prefix of the form's texts for error codes. */
const FORM_ERROR = 'error_';

/** Files for operators: image, units, Compose, Helm chart. */
const DEPLOY = join(import.meta.dirname, '..', '..', '..', 'deploy');

/** Pictures that `npm run shots` takes. */
export const SHOTS = join(import.meta.dirname, '..', '..', 'shots');

/** Texts that pages take from code, so that they cannot differ from it. */
export const directives: Directives = {
  sample: (name) => renderFiles(name),
  shot: (text) => renderShot(text),
  file: (path) => renderRepositoryFile(path),
  'sandbox-cards': () =>
    markdownTable(
      ['Number', 'Test token', '3-D Secure', 'Outcome'],
      sandboxCards.map(({ number, token, threeds, outcome, mismatch }) => [
        groupDigits(number),
        `\`${token}\``,
        threeds,
        outcome === 'approved'
          ? `approved${mismatch ? `, with \`${mismatch}\`` : ''}`
          : `\`${outcome}\``,
      ]),
    ),
  'sandbox-network-tokens': () =>
    markdownTable(
      ['Number', 'Test token', 'Network'],
      sandboxNetworkTokens.map(({ number, token, brand }) => [
        groupDigits(number),
        `\`${token}\``,
        brand,
      ]),
    ),
  'threeds-cards': () =>
    markdownTable(
      ['Number', '3-D Secure'],
      [...Map.groupBy(sandboxCards, ({ threeds }) => threeds)].map(([threeds, [card]]) => [
        groupDigits(card?.number ?? ''),
        threeds.replaceAll('_', ' '),
      ]),
    ),
  'form-codes': () =>
    markdownTable(
      ['`detail.code`', 'Text that the customer reads'],
      Object.entries(formTexts).flatMap(([name, text]) =>
        name.startsWith(FORM_ERROR) ? [[`\`${name.slice(FORM_ERROR.length)}\``, text]] : [],
      ),
    ),
  'error-codes': () => errorTables(),
  variables: (topic) => renderVariables(topic),
  'renamed-types': () =>
    markdownTable(
      ['Old name', 'New name'],
      Object.values<Resource>(resources).flatMap(({ type, deprecated_for: newType }) =>
        newType ? [[`\`${type}\``, `[\`${newType}\`](/api/${newType})`]] : [],
      ),
    ),
  'renamed-fields': () =>
    markdownTable(
      ['Type', 'Old name', 'New name'],
      Object.values<Resource>(resources)
        .filter(isCurrentType)
        .flatMap(({ type, fields }) =>
          Object.entries(fields)
            .filter(([, { deprecated_for }]) => deprecated_for)
            .map(([name, { deprecated_for }]) => [
              `[\`${type}\`](/api/${type})`,
              `\`${name}\``,
              `\`${deprecated_for}\``,
            ]),
        ),
    ),
  'sandbox-amounts': (areas) => renderAmounts(areas.split(' ')),
  simulations: () =>
    markdownTable(
      ['`metadata.simulate`', 'The network', 'The payment'],
      Object.entries<Simulation>(simulations).map(([name, { network, payment }]) => [
        `\`${name}\``,
        network,
        payment,
      ]),
    ),
  'second-account': () => secondAccountTable(),
  alerts: () => alertTable(),
  metrics: () =>
    markdownTable(
      ['Metric', 'Kind', 'Labels', 'Meaning'],
      Object.entries<Metric>(metrics).map(([name, { kind, labelNames = [], help }]) => [
        `\`${name}\``,
        kind,
        labelNames.map((label) => `\`${label}\``).join(', '),
        `${help}.`,
      ]),
    ),
};

const groupDigits = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ');

/** A picture that `npm run shots` takes, in the theme of the site: `payments The list of payments`. */
function renderShot(text: string): string {
  const [name = '', ...words] = text.split(' ');
  const images = ['light', 'dark'].map((theme) => {
    const file = `${name}-${theme}.png`;
    if (!existsSync(join(SHOTS, file))) throw new Error(`There is no picture docs/shots/${file}.`);
    const attributes = `class="shot-${theme}" width="1280" height="800" loading="lazy"`;
    return `<img ${attributes} src="/shots/${file}" alt="${escapeHtml(words.join(' '))}">`;
  });
  return images.join('\n');
}

/** Table of the amounts whose behaviour belongs to one of the areas. */
function renderAmounts(areas: readonly string[]): string {
  const entries = Object.entries<SandboxAmount>(sandboxAmounts).filter(([, { area }]) =>
    areas.includes(area),
  );
  if (entries.length === 0) throw new Error(`There are no amounts of "${areas.join(' ')}".`);
  return markdownTable(
    ['Amount ends in', 'Effect'],
    entries.map(([amount, { effect }]) => [amount, effect]),
  );
}

/** Table of the environment variables of a topic. */
function renderVariables(topic: string): string {
  const entries = Object.entries<Variable>(variables).filter(([, item]) => item.topic === topic);
  if (entries.length === 0) throw new Error(`There are no variables of topic "${topic}".`);
  return markdownTable(
    ['Variable', 'Meaning', 'Default'],
    entries.map(([name, { meaning, is_secret, default: value = '–' }]) => [
      `\`${name}\`${is_secret ? `, or \`${secretFileOf(name as VariableName)}\`` : ''}`,
      meaning,
      value,
    ]),
  );
}

/** Shows a file of the folder `deploy`, so that pages never differ from what operators install. */
function renderRepositoryFile(path: string): string {
  const file = join(DEPLOY, path);
  if (!existsSync(file)) throw new Error(`There is no file deploy/${path}.`);
  return `\`\`\`text\n${readFileSync(file, 'utf8').trimEnd()}\n\`\`\``;
}

/** Renders the files `samples/NAME.EXTENSION` as a group with a tab for each language that has one. */
function renderFiles(name: string): string {
  const pathOf = ({ extension }: Language): string => join(SAMPLES, `${name}.${extension}`);
  const shownLanguages = languages.filter((language) => existsSync(pathOf(language)));
  if (shownLanguages.length === 0) throw new Error(`There is no sample "${name}" in docs/samples.`);
  return codeGroup(shownLanguages, (language) => readFileSync(pathOf(language), 'utf8'));
}
