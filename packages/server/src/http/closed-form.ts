import { NO_PROCESSOR } from '../features/merchants/processor.ts';
import type { Closed } from '../features/merchants/standing.ts';
import { formErrorPage, noProcessorForm, type RefusedForm } from '../hosted/form-error-page.ts';
import type { FormLocale } from '../hosted/form-locale.ts';
import type { FormAssets } from '../hosted/form-page.ts';
import type { Page } from '../hosted/page.ts';
import { knownLocale, languageOf } from './link-views.ts';

/** Why the frame shows no form. */
export type ClosedForm = RefusedForm | Closed;

/** What the frame shows in place of the form. The script of `assets` speaks for the form that is not there. */
export const closedForm = (assets: FormAssets, locale: FormLocale, why: ClosedForm): Page =>
  why === 'no_processor'
    ? noProcessorForm(assets, languageOf(knownLocale(locale)), {
        title: locale.texts.title ?? '',
        advice: NO_PROCESSOR,
      })
    : formErrorPage(assets.style, locale, why);
