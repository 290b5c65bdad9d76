/** The name is the same in every language. */
export const texts = { en: { 'api.title': 'API' }, de: { 'api.title': 'API' }, zh: { 'api.title': 'API' } }
