/**
 * A promise with external resolve and reject. A rejection never counts as unhandled, because pages may use events
 * instead.
 */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly settled: boolean;
  resolve(value: T): void;
  reject(error: Error): void;
}

export function defer<T>(): Deferred<T> {
  const deferred = { settled: false } as { -readonly [Key in keyof Deferred<T>]: Deferred<T>[Key] };
  deferred.promise = new Promise<T>((resolve, reject) => {
    deferred.resolve = (value) => {
      deferred.settled = true;
      resolve(value);
    };
    deferred.reject = (error) => {
      deferred.settled = true;
      reject(error);
    };
  });
  deferred.promise.catch(() => {});
  return deferred;
}
