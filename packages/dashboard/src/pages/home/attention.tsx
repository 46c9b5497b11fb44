import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useScope } from '../../api/scope.ts';
import type { Namespaces } from '../../i18n/texts.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ScopedLink } from '../../parts/page/links.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { Section } from '../../parts/record/section.tsx';
import { attentionQuery } from './attention-query.ts';
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

function AttentionLine({ item }: { readonly item: AttentionItem }) {
  const { type, filters, text, to } = item;
  const t = useTexts('home');
  const { data } = useQuery(attentionQuery(useScope(), item));
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
