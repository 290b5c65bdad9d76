import { Type, type Static } from 'typebox'
import { BadConfig } from '../errors.js'
import { environment, type Environment } from '../util/environment.js'
import { readNamedText } from '../util/own-file.js'

/** The location of a secret outside the configuration. */
export const SecretReference = Type.Union([
  Type.Object({ env: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false })
], { title: '{ "env": NAME } or { "file": PATH }', description: 'A variable or a file that holds it', secret: true })
export type SecretReference = Static<typeof SecretReference>

/**
 * A secret in the configuration: the text itself, or its location. Everything declared like this, or with `secret:
 * true` in its schema, is omitted from backups and masked in logs, answers and reports.
 */
export const Secret = (description: string) => Type.Union([
  Type.String({ minLength: 1 }), ...SecretReference.anyOf
], { title: 'a text in quotes, { "env": NAME } or { "file": PATH }', description, secret: true })
export type Secret = string | SecretReference

/** @param where key in the configuration, for the error. @throws PRN_ERR_CONFIG if it is not at its location */
export const secretOf = async (secret: Secret, where: string): Promise<string> =>
  typeof secret === 'string' ? secret : await readSecret(secret, where)

/**
 * Reads a secret from its location and trims it.
 * @param where key in the configuration, for the error
 * @throws PRN_ERR_CONFIG if it is missing or empty
 */
export async function readSecret (reference: SecretReference, where: string, env: Environment = environment()):
Promise<string> {
  if ('env' in reference) {
    const value = env[reference.env]?.trim()
    if (value) return value
    throw new BadConfig(`${where}: the environment variable ${reference.env} is not set`)
  }
  const text = await readNamedText(reference.file).catch((error: Error) => {
    throw new BadConfig(`${where}: ${error.message}`)
  })
  if (text.trim() === '') throw new BadConfig(`${where}: ${reference.file} is empty`)
  return text.trim()
}
