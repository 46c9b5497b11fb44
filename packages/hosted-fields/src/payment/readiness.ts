import type { SdkEventDetail } from '@florin/contract/protocol/frame.ts';
import type { CardForm } from '../form/card-form.ts';

/** Tells whether the card can be sent, whenever that or its brand is no longer what was told last. */
export function createReadiness(form: CardForm, tell: (detail: SdkEventDetail) => void) {
  let told = '';
  const tellUnless = (known: string): void => {
    const detail = { ready: form.ready(), brand: form.brand() };
    const text = JSON.stringify(detail);
    if (text === known) return;
    told = text;
    tell(detail);
  };
  return {
    tell: () => tellUnless(told),
    /** For a page that has just connected and knows nothing yet. */
    tellAgain: () => tellUnless(''),
  };
}
