import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pageQuery } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { Namespaces } from '../../i18n/texts.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { Section } from '../../parts/record/section.tsx';
import { type AttentionItem, attentionItems } from './parts.ts';

/** Lists the merchant's open tasks, with counts. */
export function Attention() {
  const t = useTexts('home');
  const visible = attentionItems(useScope());
  if (visible.length === 0) return null;
  return (
    <Section title={t('attention')}>
      <List listStyleType="none">
        {visible.map((item) => (
          <AttentionLine key={item.text} item={item} />
        ))}
      </List>
    </Section>
  );
}

/** Counting limit: a larger number would not change the next step. */
const COUNTED_MAX = 50;

function AttentionLine({ item: { type, filters, text, to } }: { readonly item: AttentionItem }) {
  const t = useTexts('home');
  const parameters = { ...filters, 'page[size]': String(COUNTED_MAX) };
  const { data } = useQuery(pageQuery(useScope(), type, parameters));
  const count = data?.data.length;
  if (count === undefined) return null;
  const none: `${AttentionItem['text']}_none` & keyof Namespaces['home'] = `${text}_none`;
  return (
    <List.Item py={4}>
      {count === 0 ? (
        <Text c="dimmed">{t(none)}</Text>
      ) : (
        <ScopedLink to={to ?? listPath(type)} search={to ? {} : filters}>
          {t.count(text, count)}
        </ScopedLink>
      )}
    </List.Item>
  );
}
