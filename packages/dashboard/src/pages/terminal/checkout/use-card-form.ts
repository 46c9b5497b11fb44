import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useScope } from '../../../api/scope.ts';
import { useMe } from '../../../api/session.ts';
import { useLanguage } from '../../../i18n/use-texts.ts';
import { type CardForm, createCardForm } from './card-form.ts';
import type { CheckoutType } from './use-intent.ts';

interface MountedForm {
  /** The form, once it is mounted. */
  readonly form: CardForm | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Mounts the card form of a payment or subscription into an element of the page. */
export function useCardForm(container_id: string, type: CheckoutType, id: string): MountedForm {
  const { merchant, mode } = useScope();
  const host = useMe().instance.pay_url;
  const { language: locale } = useLanguage();
  const scheme = useComputedColorScheme();
  const [form, setForm] = useState<CardForm>();
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try and another colour scheme mount the form again.
  useEffect(() => {
    let isOver = false;
    let mounted: CardForm | undefined;
    const mount = async () => {
      const created = await createCardForm({ scope: { merchant, mode }, type, id, host, locale });
      if (isOver) return;
      mounted = created;
      created.mountPaymentForm(container_id, id);
      setForm(created);
    };
    setError(null);
    mount().catch((failure) => !isOver && setError(failure));
    return () => {
      isOver = true;
      mounted?.destroy();
      setForm(undefined);
    };
  }, [container_id, merchant, mode, type, id, host, locale, scheme, tries]);
  return { form, error, retry: () => setTries(tries + 1) };
}
