import { defineError } from '../../core/index.js'

export const NoSuchPerson = defineError<[name: string]>('PRN_ERR_NO_USER', "There is no user '%s'", 404)
export const NoSuchKey = defineError<[name: string]>('PRN_ERR_NO_KEY', "There is no key '%s'", 404)
export const NameTaken = defineError<[what: string, name: string]>('PRN_ERR_NAME_TAKEN', "There is a %s '%s' already", 409)
export const LastAdministrator = defineError<[name: string]>('PRN_ERR_LAST_ADMINISTRATOR',
  "'%s' is the last administrator. Make another user an administrator first, or use 'prnd users' on the machine of the service.", 409)
export const FirstAdministrator = defineError<[name: string]>('PRN_ERR_FIRST_ADMINISTRATOR',
  "The first user must be an administrator of all printers, so that the others can be managed: add '%s' with the role " +
  'administrate and without printers, or add an administrator before.', 409)
export const NoPasswordHere = defineError<[name: string]>('PRN_ERR_NO_PASSWORD_HERE',
  "'%s' logs in at the OpenID Connect provider, and has no password here", 409)
export const WrongPassword = defineError('PRN_ERR_WRONG_PASSWORD', 'The current password is wrong', 403)
export const NotAPerson = defineError('PRN_ERR_NOT_A_USER', 'Only a user who is logged in has a password', 409)
export const TooManyLogins = defineError('PRN_ERR_TOO_MANY_LOGINS', 'Too many logins are being checked; try again in a few seconds', 429)
export const PeopleFull = defineError<[what: string, most: number]>('PRN_ERR_PEOPLE_FULL', 'No more %s can be added: %d are the limit. Remove one first.', 409)
export const BudgetRole = defineError('PRN_ERR_BUDGET_ROLE',
  'A key that administrates cannot have a budget, because it could raise it: give it the role operate or view.', 400)
