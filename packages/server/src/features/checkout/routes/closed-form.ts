import type { FormLocale } from '../../../http/pages/form-locale.ts';
import type { Page } from '../../../http/pages/page.ts';
import { NO_PROCESSOR } from '../../merchants/processor.ts';
import type { ClosedReason } from '../../merchants/status-checks.ts';
import {
  type RefusedForm,
  renderFormErrorPage,
  renderNoProcessorForm,
} from '../pages/form-error-page.ts';
import type { FormAssets } from '../pages/form-page.ts';
import { languageOf, supportedLocale } from '../pages/language.ts';

/** Why the frame shows no form. */
export type ClosedForm = RefusedForm | ClosedReason;

/** Page of the frame without a form. A script from `assets` responds to the SDK. */
export function renderClosedForm(assets: FormAssets, locale: FormLocale, reason: ClosedForm): Page {
  const language = languageOf(supportedLocale(locale));
  const title = locale.texts.title ?? '';
  return reason === 'no_processor'
    ? renderNoProcessorForm(assets, language, { title, advice: NO_PROCESSOR })
    : renderFormErrorPage(assets.style, language, { title, code: reason });
}
