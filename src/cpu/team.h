/* Work that several threads do in passes. */
#ifndef SB_TEAM_H
#define SB_TEAM_H

/* Part `part` of `parts` of a pass; work: what all of them share. */
typedef void sb_pass(void *work, int part, int parts);

/* The passes, each by all threads, one after another: none begins before the one in front is done. One thread opens no region,
   which takes libgomp as long as some hundred rows. */
void sb_in_team(int threads, int passes, sb_pass *const *pass, void *work);

#endif
