import { Type } from 'typebox'

/** The path of a file on the host: only the configuration file can name one, never the API. */
export const HostFile = (description: string) => Type.String({ minLength: 1, description, hostFile: true })
