import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { NO_PROCESSOR } from '../features/merchants/processor.ts';
import type { Closed } from '../features/merchants/standing.ts';
import {
  CLOSED_FORM_SCRIPT,
  formErrorPage,
  noProcessorForm,
  type RefusedForm,
} from '../hosted/form-error-page.ts';
import type { FormLocale } from '../hosted/form-locale.ts';
import type { Page } from '../hosted/page.ts';
import { fixedFile, sendFixed } from './fixed-file.ts';
import { knownLocale, languageOf } from './link-views.ts';

/** Why the frame shows no form. */
export type ClosedForm = RefusedForm | Closed;

/** What the frame shows in place of the form. */
export const closedForm = (style: string, locale: FormLocale, why: ClosedForm): Page =>
  why === 'no_processor'
    ? noProcessorForm(style, languageOf(knownLocale(locale)), {
        title: locale.texts.title ?? '',
        advice: NO_PROCESSOR,
      })
    : formErrorPage(style, locale, why);

/** Speaks for the form that is not there. */
export const closedFormScript = (): string =>
  readFileSync(new URL('../hosted/assets/form-closed.js', import.meta.url), 'utf8');

/** Serves the script of `closedForm`. */
export function registerClosedForm(fastify: FastifyInstance): void {
  const script = fixedFile(closedFormScript(), {
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  fastify.get(CLOSED_FORM_SCRIPT, (request, reply) => sendFixed(request, reply, script));
}
