/** Which paths, parameters, bodies and answers belong together, from the generated types. */
import type { components, paths } from "./api.js";

export type Schemas = components["schemas"];
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The paths that have this method. */
export type Path<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in Lowercase<M>]: { responses: object } } ? P : never;
}[keyof paths];

/** What goes into the path, the query and the body. */
export type Arguments<M extends Method, P extends Path<M>> = ArgumentsOf<Operation<M, P>>;
/** The result. */
export type Answer<M extends Method, P extends Path<M>> = AnswerOf<Operation<M, P>>;
export type Query<M extends Method, P extends Path<M>> = ParametersOf<Operation<M, P>, "query">;

type Operation<M extends Method, P extends Path<M>> = paths[P] extends { [K in Lowercase<M>]: infer O } ? O : never;
type Json<C> = C extends { content: { "application/json": infer J } } ? J : never;
type AnswerOf<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202 | 207)]> : never;
type ArgumentsOf<O> = Given<"path", ParametersOf<O, "path">> &
  Given<"query", ParametersOf<O, "query">> &
  Given<"body", O extends { requestBody?: infer R } ? Json<R> : never>;
/** An absent kind of parameter is `never` here, whatever the options of the compiler are. */
type ParametersOf<O, K extends "path" | "query"> = O extends { parameters: { [N in K]?: infer F } } ? Extract<F, object> : never;
/** It may be left out if all that is in it may be. */
type Given<K extends string, V> = [V] extends [never] ? unknown : object extends V ? { [N in K]?: V } : { [N in K]: V };
