import type { SdkEventDetail } from '@florin/contract/protocol/frame.ts';
import type { CardForm } from '../form/card-form.ts';

/** Reports changes of the card's brand and of whether the card can be sent. */
export function createReadiness(form: CardForm, report: (detail: SdkEventDetail) => void) {
  let last = '';
  const reportUnless = (known: string): void => {
    const detail = { ready: form.ready(), brand: form.brand() };
    const text = JSON.stringify(detail);
    if (text === known) return;
    last = text;
    report(detail);
  };
  return {
    report: () => reportUnless(last),
    /** Reports the state again, for a page that has just connected. */
    repeat: () => reportUnless(''),
  };
}
