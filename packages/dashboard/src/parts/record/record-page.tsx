import type { ReactNode } from 'react';
import { type FetchedRecord, type Parameters, useRecord } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { Loading } from '../feedback/loading.tsx';
import { ProblemAlert } from '../feedback/problem-alert.tsx';
import { PageTitle } from '../page/page-title.tsx';
import { useParameter } from '../page/search.ts';

interface Props<T extends ResourceType> {
  readonly type: T;
  /** Heading while the record loads or cannot be shown. */
  readonly title: string;
  readonly parameters?: Parameters;
  /** Link back, above the heading. */
  readonly above?: ReactNode;
  readonly children: (fetched: FetchedRecord<T>, reload: () => void) => ReactNode;
}

/** Page of the record with the id in the address. The key resets state between records. */
export function RecordPage<T extends ResourceType>(props: Props<T>) {
  const id = useParameter('id');
  return (
    <>
      {props.above}
      <PageOf key={id} id={id} {...props} />
    </>
  );
}

function PageOf<T extends ResourceType>(props: Props<T> & { readonly id: string }) {
  const { type, id, title, parameters, children } = props;
  const record = useRecord(type, id, parameters);
  const reload = () => void record.refetch();
  if (record.data) return children(record.data, reload);
  return (
    <>
      <PageTitle title={title} />
      {record.error ? <ProblemAlert error={record.error} onRetry={reload} /> : <Loading />}
    </>
  );
}

/** Returns the `include` parameter for the relations that the person may read. */
export function useReadable(permissions: Readonly<Record<string, string>>): Parameters {
  const can = useCan();
  const names = Object.entries(permissions).filter(([, permission]) => can(permission));
  return { include: names.map(([name]) => name).join(',') };
}
