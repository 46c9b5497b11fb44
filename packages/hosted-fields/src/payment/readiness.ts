import type { SdkEventDetail } from '@florin/contract/protocol/frame.ts';
import type { CardForm } from '../form/card-form.ts';

/** Reports changes of the card's brand and of whether the card can be sent. */
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
    /** For a page that has just connected. */
    tellAgain: () => tellUnless(''),
  };
}
