import { parts } from './parts.ts';
import { beginSignIn, finishSignIn } from './sign-in.ts';

parts().signIn = { beginSignIn, finishSignIn };
