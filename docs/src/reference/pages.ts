import { resources } from '@florin/contract/resources/index.ts';
import { compileModels } from '@florin/server/jsonapi/model.ts';
import { chaptersOf } from '@florin/server/jsonapi/openapi/chapters.ts';
import { describeInterface } from '@florin/server/jsonapi/openapi/document.ts';
import type { OpenApiDocument } from '@florin/server/jsonapi/openapi/schema.ts';
import type { Page } from '../site/pages.ts';
import { chapterPage } from './chapter-page.ts';
import { exampleBodyOf, operationsOf } from './document.ts';
import { errorPages } from './error-pages.ts';
import { hasFile } from './operation.ts';
import type { States } from './states.ts';
import { typePage } from './type-page.ts';

/** Address in the samples, as in `docs/openapi.json`. */
const ORIGIN = 'http://localhost:4000';
/** Generated chapters follow the pages of the same group that people write. */
const FIRST_CHAPTER_ORDER = 500;

const models = compileModels(resources);
const document: OpenApiDocument = describeInterface(models, ORIGIN);

/** Tags of types that have no newer name. Old names have no page. */
const currentTags = document.tags.filter((tag) => !tag['x-deprecated-for']);

/** The generated pages: one for each resource type, topic of all operations, and error code. */
export const referencePages = (): readonly Page[] => [
  ...typePages(),
  ...chapterPages(),
  ...errorPages(ORIGIN),
];

const typePages = (): readonly Page[] =>
  currentTags.map((tag, order) => ({
    path: `api/${tag.name}`,
    title: String(tag.name),
    order,
    subgroup: String(tag['x-group']),
    markdown: typePage(document, {
      name: String(tag.name),
      summary: String(tag.description),
      states: tag['x-states'] as States | undefined,
    }),
  }));

const chapterPages = (): readonly Page[] =>
  chaptersOf(models, ORIGIN).map((chapter, index) => ({
    path: `reference/${chapter.id}`,
    title: chapter.title,
    order: FIRST_CHAPTER_ORDER + index,
    markdown: chapterPage(chapter),
  }));

/** An operation as the console of the site sends it. */
export interface ConsoleOperation {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** All operations by id, without those that send or return a file. */
export const consoleOperations = (): Readonly<Record<string, ConsoleOperation>> =>
  Object.fromEntries(
    currentTags
      .flatMap((tag) => operationsOf(document, String(tag.name)))
      .filter(({ operation }) => !hasFile(operation))
      .map(({ method, path, operation }) => [
        operation.operationId,
        { method: method.toUpperCase(), path, body: exampleBodyOf(operation) },
      ]),
  );
