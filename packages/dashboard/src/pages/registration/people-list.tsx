import { List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pageQuery } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';

const person = 'personal_identification';
const parameters = { include: person, 'page[size]': '100' };

/** People added up to now, with their roles. */
export function PeopleList() {
  const t = useTexts('registration');
  const { merchant } = useScope();
  const scope = { merchant, mode: 'live' } as const;
  const officials = useQuery(pageQuery(scope, 'corporate_officials', parameters)).data;
  const owners = useQuery(pageQuery(scope, 'beneficial_owners', parameters)).data;
  const included = [...(officials?.included ?? []), ...(owners?.included ?? [])];
  const names = new Map(included.map(({ id, attributes }) => [id, String(attributes.full_name)]));
  const lines = [
    ...(officials?.data ?? []).map((it) => ({ it, what: it.attributes.role })),
    ...(owners?.data ?? []).map((it) => ({
      it,
      what: t('people_owns', { percentage: it.attributes.ownership_percentage ?? '' }),
    })),
  ];
  return (
    <List size="sm">
      {lines.map(({ it, what }) => {
        const linked = it.relationships?.[person]?.data;
        const name = linked && 'id' in linked ? names.get(linked.id) : undefined;
        return <List.Item key={it.id}>{[name, what].filter(Boolean).join(': ')}</List.Item>;
      })}
    </List>
  );
}
