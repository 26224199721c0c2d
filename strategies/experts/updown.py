"""expert: learned from all_rounder by cardlab train.

`cardlab train updown --players 4 --base 'all_rounder' --seed 1 --steps 3`; steps kept: 3, 600,000
decisions recorded.

On 10,000 fresh deals beside all_rounder its seats win together 40.2 (39.8–40.7) % with 1 of 4
seats, 63.3 (62.7–63.9) % with 2 of 4 seats, 78.1 (77.7–78.4) % with 3 of 4 seats (95 % intervals).
"""

from simcore.language import *
from strategies.learned import declared
from strategies.features.updown import (
    able_after,
    able_against,
    ahead_of_best,
    ahead_of_mean,
    beaters_after,
    beaters_of_able,
    best_chance_after,
    chance_of_card,
    chance_of_kept,
    change_itself,
    equal_after,
    equal_in_hand,
    equal_unseen,
    expected_after,
    expected_of_card,
    expected_of_kept,
    from_middle,
    is_able_card,
    is_leading,
    is_trump,
    kept_able,
    kept_trumps,
    leads_then,
    of_its_colour,
    plain_rank,
    second_chance_after,
    stake,
    stake_of_able,
    third_chance_after,
    tricks_left,
    trumps_after,
    turns_away,
    unseen_count,
    values_for_roll,
    wanted_by,
    worth_after,
    worth_of_able,
)


LEARNED = declared(
    base='all_rounder',
    players=4,
    features={
        "CHANGE": [
            (stake, "one of", 1, 5),
            (tricks_left, "one of", 1, 11),
            (is_leading, "one of", 1, 1),
            (leads_then, "one of", 0, 1),
            (ahead_of_best, "one of", -9, 19),
            (ahead_of_mean, "whole", -0.2931, 0.2401),
            (unseen_count, "one of", 3, 31),
            (change_itself, "one of", 0, 5),
            (best_chance_after, "real", 0.3637, 3.112),
            (second_chance_after, "real", 0.1412, 4.551),
            (third_chance_after, "real", 0.04792, 8.357),
            (expected_after, "real", 0.3946, 2.632),
            (worth_after, "one of", 0, 14),
            (beaters_after, "whole", 3.47, 0.1949),
            (equal_after, "one of", 0, 4),
            (able_after, "one of", 0, 11),
            (trumps_after, "one of", 0, 5),
            (able_against, "whole", 14.97, 0.1124),
            (values_for_roll, "one of", 0, 12),
        ],
        "CARD": [
            (stake, "one of", 1, 6),
            (tricks_left, "one of", 2, 10),
            (is_leading, "one of", 0, 2),
            (leads_then, "one of", 0, 2),
            (ahead_of_best, "one of", -9, 19),
            (ahead_of_mean, "whole", 0.08949, 0.2475),
            (unseen_count, "one of", 6, 28),
            (is_able_card, "one of", 0, 2),
            (is_trump, "one of", 0, 2),
            (worth_of_able, "one of", 0, 14),
            (beaters_of_able, "whole", 2.688, 0.1691),
            (equal_unseen, "one of", 0, 4),
            (chance_of_card, "real", 0.125, 4.122),
            (expected_of_card, "real", 0.136, 3.607),
            (stake_of_able, "one of", 0, 7),
            (kept_able, "one of", 0, 10),
            (kept_trumps, "one of", 0, 5),
            (chance_of_kept, "real", 0.3977, 3.284),
            (expected_of_kept, "real", 0.4314, 2.743),
            (from_middle, "one of", 0, 6),
            (equal_in_hand, "one of", 1, 4),
            (wanted_by, "one of", 0, 4),
            (turns_away, "one of", 0, 4),
            (of_its_colour, "one of", 1, 8),
            (plain_rank, "one of", 1, 11),
        ],
    },
    weights={
        "CHANGE": """
3.23259e-05 6.07881e-06 4.08368e-06 %?&8%1KlbY2mE!z8%V6rsL_Sr(DN-7^zAeK3kcr+i3LsJg$l_hR_j+2bpt8!su4Z
`u<peKzPDTB$=@8_1OSEPvD#z;=Fb-2+$Z)Nr1d@k6%P&gZ81LvN(&1<#Bh);LB1aeG!MEFzx9I)1pO-VsN>7*`~N9aHR>G-o(wS
nqBENQ85*M@-ux9TrS%T{^HgE%?Hq0EWcoGW4mzG7;RMSJEzO7;oBjUn$`a@J+Z}M*WBnrQHx@YIbScId`v24vE*!5LU)GBOK^Kk
@A{+TEUOi(g*9H&{RpiFpaS3?by$WaT005l{pY`hU;Qks2kF&Pv2oiT9EAVkahX4QnOPtd0z1!LiYX$Gvx+Sdvgctw-w+%HnG#=I
l^ArF8kM%3|jNt$P(eGCyh~rffCi1@#_{|m$>jHT&XX~r@006?(MbZKr$L*BiHyE7ABlnXEwCom8|0WXsh^reDv+46TwqGw0mHQ#
({KU(+r2j4wA>%yrWB`BeBlc7gO()p@ehf|Z016A|r04wV$l|Z_Z1#BOPWv<P>bP(nNfj5|FYfA8VyE==Js?Nz+Rso6jtI#0oBBH
b!xg;wdhv$(`Tv*&bsj$q(hi*q9RYF)z!b6@hy6D7$?!o$%La|_wljYVlp3wp=mv)XRr)&q5h9%*YSM`%TR$BHt?beO4(bE|<q~-
Gq8kknZO~2X9oJVJ(%aVoF6x2-!|8_fe;Rcg#Ogr%AMb`5i3qJ8?h@(h>>Va9qZFn1IZ_Dqkqm(S?f=pF93rRibLA7_W*8?TK@t<
xS=UDwBoTKAiq%II9^YT-#SNarU<fMCHqikI!3A>nLj7(JPcK6jn(62q9M;<Z_Y|ozryT|nmKT5mLO6WqIs!$-t_X(asTQm**Zw{
XT^BGJisF+O*ZQ9M9}R5y?-$D3+Wu@b%<$bSZqK&yECBca)zAg-l<wUi@%Lddk_MLm8V8pE$_Q-+)EMsr>H1S0aTun-&)uOVLlUL
;s`0V_oBh=RbpX=)hZE!@hy~&QLimO0=iDOjxAC>l+!p4{i1S7#R2``9=olps>c#XGEDy=;7T>q<4A(mzJ_=S72<$%RRRioI55%-
7uP(I`6ae7bZsz&i2I_?eZ{!;YH54Egh3}jcw#>m1^A|Jp(Ia8p8}FX(oz`#d?C`1zEcLPWG7o<C`T>OXnbxi0RrwSEQyA9f`~pi
rKmTGf<RkO*_49-(fGg1nHV<+U*X1YokPA*UNXlu*KL%YN!thVyB<$z)^7ETN#m_o3!}<BvK>!=>p69Ft7#BPSf)vjCNX5|v0`<`
SnE6o(rUU>Eruz*EkN{>dS^|s$OXHCWUhQ565*7L}H~A&h3Ig%xt;-w$RSI9ykR#sbL)S_b<PUo<(dTZo76M}Hfb;e8kJIe@tNzj
!j|LRlR2;zlb^Sm4K<xku5EaiHPbRzl`P%aREdV*z@c~iZGXp;F@epv$zAy$SDFdbe>h{ydl+o1!+sED~WaY^Qv()(BBor1W+|`K
)()Aq!&FM((a@<4I2JtNb{N2mw^#2Pp&**<4GztFohZg_<mIa>I003J900000Ar<K)$iw9fzt?l{001@(^!KFfm-yohw+AjnvH)l
$006%Ds<#vgKknGyZ}%i`?6;5)005!{d+h)KH4gv)008qD@C<e9qynhzOBQbseEWd+Haf))ff8TpRPQYDe*^#kU*KG~fc4tNS-*w
{nJ+@cDiXRFEY~Q^Mi#&x007zADI2Kib@|i%H2xS5as-j|faZ5rWf_r9toh&(O~S12005B%;Eb~urtA`{GWRzbkHinr3>)U8xdW5
{s@nhnf$8Nw+3olESO8ftg%SD3#?B`De>>v*LL@?{!4S8&q0ayS<IR<yi}RH#0e}|mg5E&}XYFhY>)#>;#N%HSWgGYc4>{caYAyW
yP!D+SU%_zb5%4oTh41=Bn65Vf#?9^m2moQ;>Y1$1lp)l`c=Eefe~omup4nrhE9c=3m)Cyn4BWdazy8eUF7FS%Gw-+V{17zhz(-!
PJ8SM2DG+Ajg8%>kOV=i{-uYPgFsy+0gihA+XxUBad$va48wB;}Um&;p1S7H<fEwNK9o~Bbcco?gPxtIDM&yf6nin1QXWXsf?*Aa
^B*S(t91!r~N(tshp~m0qi2m&jTK=%_LF&03cOsb=O%;P2_0x0QX%2$x%l$b4+A{_D+CX3p`q+%#CEG&)g$M5jKk$JNXb)fMdgLS
v;s@XfYY~s$UIY3D8p{;uAoGn3o91KfLjJ)1_!|}otOcn1V%-Yi3lYWZ-{%Sk764!y;vOgg@%xf5hsqS2+2>RSV-D&`ZS3V4eh?<
@!#ke;Ya_BO$R(N)`QZHy9t<uLPx&4X@ccR{><(8AV(`EJ2J_Ytcnp2^DEuYza3NRa!6j(bExU6IYYzn05DOvx3g+eEdl~B1F9<6
1eFXOKegci^@d07pVeFp$$Qx`G0sx%ju9rCqkquk-9w@g6Lh5Vp&MsK?g8)tWv+`>ckI)(!^RMOMF#u#C=?L}4x$pz*eGTbU(HL0
!&<JGy&EzEjy3=}=EY=<2O~=dMY8`^bi2WiqE*MJJiuA?x`X=7fu|fkly~|=BmGu8JRaCdv=>oq26(PzHj=K9q_!NHF`~Pat9*Gz
Ufi(@I5#JjJ0NtzQs|>=)>tB}*KR+BJ(eCa>FTtiP002lO*~K^;GDq$CSMCPz+w~97MGmj~Vf6q2zP((=p9bM0S<|f=^$|<}gxE*
wEz)-l&+&3ggdO@l<UNPm2-W}qr`!N9AzdFb?7S{B{`miLZ>fy>iP^*C|Nm&xe!BYjgWbW*?a*;2jl``o#sXf%P$FU{CNyQ`%PZz
z8sh2#007GLu?>J)@kezDiSk#}5bN{$$P~@>P|*MY4%>^I005&AEcqho;0qEIaRY=DyxeL#003n2#vBOnmiHFl93}t&003#fVLB>
1$Jmw)`S)oO9q|AF79m#|003~|(%Aq2y7G_MM)8sYxa_PA`QDbrbO!(c5kVUi9m?D=og6?L00000x&#mqw>ItD000IQv>IpE008g
J5b^*3kKGR=0000000000fBYWO_vH=j004C_000aAQ})Z@i_fh0YWM&E006D%(GXP@9033TN#p<kQUL$}Kn9T*004aRpAi7@Ud>7
Cs{xP`6AH-@AvA0RWeLsT{r|dBwj0O-?!#^zC*N(^oA>B8=NM@Ik-UBQM8vqo<lNdptTCJa1MCz6-~i*zJO%FsW$nV>Cms^<<v(^
NEhYugT_L*nAR&buCl2T6t?juEb<DrmZ$K{LNZ+>tvfSGaGbx)y*#7_k00000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000002YnC;JZjsNWz3%{C~@SM28$b>coOe%E~8IqU8I2KRUWFf_>NZum724fH1V8~IHhlJCO@Ed~)0kNy}87C8C
;000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000>Kp#+dDhF|8S9-3fCjt$XxD4uy4%O{{_zS
RAOm61lkzOzgyz!|^B?W%veTjb;s*i^n+=V@;a+<3@&0iV1ONa40000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
00000000000001rx<Po9_!1OTkHQSP#*bF}TsrGULkK-}urYagF3?#J%hY|wr!u7`Sg#_s0^&gMk#oZP3OA>Y(TnZZkfe-Ef0000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000O8F%Brs!?`Z6;3N#0@+mxf2H!LHea0X5Q%+w(-k
RxczA&Clp)((gM^Jxg_8qn-ee*ck~t}>HgsloA0g<+W!Cm000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000002cA`!?(px7;q<h7z$5qSO4}C*Z9h=<)yqi1)V$f%w4hCkd6;g!cU0(lf&{q9ncS9?iq?y$o|1eBKKO>j5kP000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
00000000000000000000000000000000000000000000000000000000oC&})h5qdw9Q7O{wG)~n+0mCejNL#990!>N$M%K*Tj+2
Pfa`%YWDtt*S2n5PGzdl@ThYuUmF02)qaiBt;r{>t00000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0008|4p4+t5bQJ*l{sjvI#q_7&t_jxsj03#|=nT%=5EZKDh9&v<G6JaO&Isi6!7G*+x7Z8URm~{=`|i2j(;yT800000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000009wUe&l^0VuNCDhCQy@70YZOEB-x2#K{rBt(vg~3!0Uogm*xe}
sZT93H_$A=yf%bnFNekiYRwXaTHRz-J6aWAK0000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000C
FUG7Whp(XY9OAfgcViUnP$n*{TC>a#YjYB;0f+mXweJSkgVA9j!qw#U?jsA_{-Sp|XX8tkTN#*F@cK<;D0000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000)fLVlpbDKZw(&sv8awT|$_Ty@f&=sBU=X<yr~ixufDNqB>=7RhM_ef
hqWK8=)%(vcci5}}I|bZALliRQ8~}X@b{3oX)E*}agv4a?fBY8z$>)9&gapM6UdC1jG6&J=T>d2q$o}rwF4;-l+{$-C>K^UxDjP8
Hiu`RF0nkYSqVb;Z68M4m{3U(izwihAJr;%q>k4T3cOb~}EbrM7dHL-fV<Cmcyx7<2n&d<L#O_H6iz;FG_CEXrfa7KldjT8xOV{1
-fAM1~mk7`J))lMwsqrZmF!Hj@n&30=8ToGO?kaNkd<C7)3igo`QuL$%;tu=);ssb8wg3_i#{2UBoFqu$9rdm0vo-DU+x$utFX;C
Sj~>ALlfLC2D&z?G8xbKJ(huAO)ed(7j1X4R6y4qWgAkzmL>H+KVCl#S^#5k^6t^o3<FIJxQsmwR!RdWHAmxR^yZxWvZ47JnNDYJ
(AQ?5|s0NJz!q=24bq<r$qV8N8)iyN(=H4XSQvuce>BV>()9}L%qa<AY6Awr2vi8II9`hjvj@u*kz|d0*7S(CztMQcq@e;=JUDIF
qXXpdwUI2aj$LJK{PB-xZ_5Y;uv-X<yCe_pS-T~+H1PZ_b2L&G=zTQYPxZ)4hX*jk5Y6!^|qY(-xx+BjQF$wVo@DK75)9EqyT-Y}
onlGaPLhQ-|LDnkd>-z0B)cQ)*ko+$dKlu9+5bId=ycZnYQTLMtso#VY{0pf18ya~F^anuukm|4)0qw&2I|s?+b^&E7I3%<cko-#
{%=lXd5bL8BrTZB`zT5jGeHHu~u<n`Vt11i;gwzKC@)L{W?BuHgkJg#=+~P0Lv(2XQ<q2U0q6%mh=OlX^@BT*^)#SPmN%HItL+72
?#|{AL(b&!o^Wd=Rk`o^W+7I6)805ezSroJwj_`df6dfY@2mBTtMEn2%00000000000000000000000000000000000000000000
000000000000000000000000000000000000-Uv+7)zb3_pB9t<LI_3(CjIpBG%fJ*_{B6KcmHtN0@<|-*ycVn#s5VgU>Vd60X0t
U8T-=)bMv~%uoQ+Crv~iJgBd#(gYPp6;L)`u?bjRJIpDtJy$xmaTp76D$L-%45C=-(KKPgMavoYBmmQ-Lzsd~Ro%J!*MZs<t%<SO
;J@#r8VBZVrG5;6`I})hbLMwm=cF3gk3-a3Rxz~}^_4xAv#QF2k#~gqJ8YU||r}-)slnvPE1j<ncq3p8Z)d3$FfCtz21LM6AJult
%ILcQG9}mtx=Qc7pTP~gaJpF?i@y<s8fdrr4ASs6dBk)A>;m)ZQ>m#<@(<eOQy9uBJ#VO_o7SQ_#C+gw`83h*rV+K$u@az%XZxWU
)UEr+WqX~}<htsV$h1J^^R0ICt7v9Iwn+Y}^)(dy-Vg5z{`~Q#<J@4oW`vlA0K@7qTH1@pv8#5a4oc>1)cMM6z0SoaAd;{<L9wX%
LIqTodzTb!h%k2dN&;PXVIsmK)CjF%WeAye)+SJA&(EOqLvI~mX?-tf7)CtTR9Kj{>P|+s#0o`2+lLBQ7stu*C7WD+t9|SM;)8~v
Ii!V75U-#Az*aFG?so@gw5(?rK%H*Hs7&wLcU@8<Md<S_2`@lB%<L)yH!s#;k{L>E%%l0wVJ^}>u?;_Owei7pkmLj|J@$?Y@v+mX
R5Bd@pc>>@Ac@+W+bmVp8F6A-@*wwz<6%c#w!Y>5wv>BP&%pNr90Q|)`+08Bgk>siE-W_2n4*4(&yZ>kJhzx}FMF!&sDfW2|9`~5
%A^-&a@DpF|{}opt7W+I2@(5-A-~+%SIQ#SJLlKLq^&;-^I}S!jl<!gR$s1b#c^h&91J&u^OcMF+#SthQ75CK;`R9+&j^`@=bNJN
k93#L5k`Qpw()^4G*Wjkya<<GGM+`$7_6jTxkPiFxFZ$une+sP!i2Pv{ImG+`Qu9IussZW(R6FG>uog-6_XrNy=HZy*`1isDMjKK
5$^q9vs{D%wJ3Q74fD{$yqUXT<%Dz?v><psK_|=0J*%T}Z9{n@|3kC@>NGT=arWHvMeit?qkJ2>XG!z%r9N^aWa}_cGEDFp>TJg;
K9MeqP4*g#fi1Dn}C<4Cqa@RF9;}VJ-K@+p*^Cv;{LGO0|%F)pRO&nfD{@A1a2=b1~OZ1i!!~tU$&=DLp-W4_)P~^D+J{dyU{s0>
S_U+>TO4{}~M$(iK%ijhBN9thwl<}Y%&FHhvP7(dWu=E8T?HJ?qLpaC=0_1!tXb%Apy!i(mVEzaLH0{ADdgZ)_F#=%<RtpN@3;%m
67#uO^bpDbBQW9F>lL0yThX&IX9|sc}Y~n=uhz_L#ks_t!+8~13x*0A0zX(&hM7Xf}Y5M%;A{WRYf9g%|O8Wc#4+Ap^uJxc7-v0L
OVET<6yc-845fD`G1I_KufaJ3aZ2d3*U9BJt(f?034EE{AQU5IrIuNGtkMy1yR4uK`0|b}y^D+e;%K+!whTgdXqsiV0{})&9uJP9
bJo1zs;0r3|n(#f{j}}Dy6#BFH4Bbc!Ljh~`Y7PMkkPu=H&+1PAE$YqWSJ}`9efvBb&<!~fD+>hTC-8#?ohYXP4gFr*fCjeec15}
Aa0BBTyZScz^!}Lg(-e8}0sSWH^9;)O)(XWLxC><^G~BiN&Hsw@u`K-NT=e+dP7}lk0>?V)NE=P>KnBtQ>&$Zj81iNMP8opNF8`|
rfe7mKnhW{&z2Hde(dyv!!3LxK7VXdME(!(hi5W)VyVvR(MFAcK^!086Ff6t<B<~sfAOd{VI@5#-W#|eAo%L1Hc=cN7tN>gtT=YW
$tJ;(xD)C<iZSnQ&QXdEwiR1ADm-~J27yu6W9@0_*#r&%Z@dfewG&C^>lImOcbMiJC><%~kmhfl=zYN*v_yG#u!r4qE_6Jx6kK;!
9?B(FxlLVOp8|rEcMi=_%>hG8NedSXA!~LorC)j}w*9#yw1pT$>ZUmVI*DpC1SNVkwCFIW32-LkAkr>t#Rux1vGWN&u0{Rm2+T<=
BitaY_atM44bp#js5Ec_QmMZc7PUD{6&<S@E%p|KZtJ)g>78Z3SbUK#~5(%mu8tz{N64tN`PWb=;3>i)y6d3I3HyT3W<OlmF)A|n
Z?CS6e004~qxCFH5G!KvE!yE7B001S`00000k;*LE%lB{&n*_H1^9Roc001fwEg`w|pxi3;UDE&I0071K?f^_800000q$b6^EVYd
bfCs%3hUowR2@3!K007<xQ4>%fnhtK{{^RBp*hl~X5)q8y-{r+P001-Y9?t*(ts4LUX&L|k0006D@a*Z+006Ni$ojX}000000000
00Q&#{001TV_Z0pU)%lUd008<MNC->-s1^VK00000P&X0+hu{YmruW4XFw;%;k0Iy}7%(sloBNkYMkH7k)A0-r1|1Cz+wtqaX&tQ
gc_UQ!MbG;Q)B^_>`2oT2w;kjk9{VZr`0#c1=E=a^UF)POQ86m*x)~}WBLFiFL-UmHTfJTXN+OOF^UOQ)>+^-x9Say9L>fWpi36q
)`R2JCHRfso!Q4+30~|Ez*ZjHVe+lmj(HO-c#O=ucbqwD6`RHvCDFTN41M8RZodTyUz$$w8_7rpF67k&s5aY<;{tfe%g9S|i<2e8
T0000dq9XYR1<Qv67(VeI+TiH*{QalrnDqbv-s3hAE$3VN{tjv>4(|Lrb_>x8<_7s9r~eAkLJJBD+W-a$00000KK?HO9t!{fl_^F
Jl+OSFcf|kz008DI7b}zkQZ!6OZw2cI01p5FyZ;&AdI4qD00000E(Lq`wgMmzAka}Fh1#R)I{CFF-V;(2I{UHvSlJ#8n#P?7^bsE
wy9VUQT;g5<rPNk9Yuu0vUH(H3tsXZ9*dbNo;sWvhSs(HUspNy{?E{$sKnT1WAI7TD`mj{}V83??9N7)wZ}!>gcoJXQjTV;(F6z7
fqwAFYNE(^xGbL9Bd<xkTD*{L&d(qV^fb~1{Oxy<m>H)~;Y~vsjZ2IXGZu=PZrwEq?UKpkW(<NCXIqnMT6VhS;xB*BM3K{3}KQEy
nh$mM9s0S3#mg{RFn$ZaBKMD*BSP~uSP6RO;#{*;n>jTK(VHfWOLJIE#kOlMLSN}`w1qHnQp#NO|M8)(TeGg#mx&Fxf3&|-3(*tk
~0r-pye+b0y=>a_ncp}#aeBj##VhRiNQY6*r!~tveuG=Xhq%KMLC^$*cLk#!?5(S0$WfL<1#~SdVLE6|2f6UMvn$Q~fCKH9ZckS5
Y6b@1LStV>G5ed`;kk~pWxa!mmJ|BexJ`#8i)(QRlFyIF6IryIPfc(c3Bkmy!C`QKb+!b%?y#qe#Sq2#RInS5<gX$l|S{!3E{@+U
7&hX9b)DbEX{P}CxX!hP8WAE|`Wai`ICGR}_=KGQbdKZTZLF-fTvhj892mhV%$t+XqtsnImclF)#?fg&b%@fcg?)X99$R4pF?d;J
f1|Dqv_2@IqtLB>i{{FK9AJh!|{1s~R-Ww?drrH?$?*>%~yWp<{gtAKxe(w|ojRZIvdg~DXG!R<-)*IFfcK|C5b`xkAI05bK#sDq
<s}gh#Pda870R7$zz4n;TbHuU=K=6d>J@$<I2Mg=x&_=fZ$raNRJL^mF5ZxQ|E!xo$01*=NM<^2#1~KjYe*A+ML;lzA<^9zf+06q
J1t4PZxdS#PzU4hEVLF5X*yvW_>*ATmv;px6kL4fof&+BU#s>%dwDU^f&-oYz%hI6)=Gx2;{102@_2W$)-3O`j0t68kL>C1Ja~j;
^Xy8ZoXb(64XBYqg$pKjqocRnGZt6t$xGZ4qhV7Z%nEuQslKvJhZ4mG-008vQ001=(r|HPqs02*sFay5ObQeGneIRf6cG&X`VFu<
V0027M006=Ti0j!A|Kz0~xdK-g0080hN7+LloffwIedMnLB_12t#LaRWY4tl76(42Kb_P=zE$XA>h7f2OiS7*8L(e_U%HkMBr!BV
#!3>!nw*x2@N&*-G`>j0APvMiUpV5CU3eEw5H_(p<BMFz)%((>!TlaJVFy)N9!q_vzv&E|Rbk*tanF-wWjSo{EH0y2enz!u$8P8U
1O6Ep5|9|1c@64L%T_kZ)`XbiG&GptReKBDsjym8mnjp8fY~dF@uNx&X{>Hp7-pmpwnAo=yw?d!G
""",
        "CARD": """
3.20046e-05 6.52374e-06 5.09004e-06 G63}r@arJ$9}U0vz3&nlSmF%k+5o!h4e=fHU=wTWUhZ`F(F`cnqw?eOmm@LP9mU=
Q_ZrjsO};Z1x$0c)*#4Cc;QBM;uP7nn8TFw0W%#B17Xv0X$n<;+;Pu`INAg<-auPEFXBhnDIvybITn+{3-1N&CF(T_KBmDdaTH&n
!Fy&d^_Rfq7x#MU1Rx!Q_bm2bX94HhN+7Tf3n(PTF5&|>d3GklgjRaL1#veKDz7a0r5DZQyfex@dWdO(y2>^cgd+ZYDjvyTKEeQY
ss3qdoVcBH&7Z-Q*ZU@x-O5<BV&@$K-fllElKM0`}kmiRJ%LwTIO98y}t;ow6&g=mIjUP-4E$(OpwiIJD)Frq8+2hRX(c=>sye7#
QcH;!%LgD}b9t8jZMm-DgARCcI>;qgYK?XPPWj;CuOCII_|NlQ4niM|lPU?~Q(g(=l#}O#{9Ss`x9Tid{%<*do1rzum001W6004X
aVKx8&?f?1$6Y`e>nbRd00040E6z2c{{`;omGc!UIT=Q-m8ynUU5e0|t;05pvWfNHEne5mG(&K*gJqFyyXUj6_md)ZLz2>>&c|+v
5AM5$?rzv0>002|V4irv1NCX87sPQN9A`0dOClh!k>IDD*%G%H#Hu!<iY!f37(-zz4-TOWZ)AlFo3<aJS3fx%xlH_7N<1O_6nhi+
;`5TH5lnOcitOVr<dhSf_R`?g_$m)XCSPW1M3+9&%L+Mf42Pdfy{V9n9kl!8Ke;qgaQ2y!;_boIM>i=j4^7RxNNAh^$pzKow;1ks
iaPg(jmiQ<QHT^0WXeF`$?&Zzb3ggWh8VpMlTMYmEzyz@i6#l^*M*QabBlI}{4G44p4f1^K_!FlW$Mav`vK${3p#gm5sXoa3%lw7
?qU}@hZ|+OnpB9?<Y5>aN2>09~m+w5~I_#w<#1&2EoB#ap9|*AS$N_i}jwg2O^8J+;0U{Flfe!^n8V&R5w*EL5!QJ%s)9~a2z1Gv
-;N*J=Q6<vtLG51Yl=aa8i}dRMl<}Gdx%G1*vF$(<Q{FNa3l04SLh089tOmH(uj0x3xDxN*<tN+t5Cf9b2^D`EAM`O5Y3<qp78s>
26Zweu!~YH5N!-=q;QI~-{witY)ZN7Q$_(-w;UQBHM)<!7*Z>*z#L@~Mkuc5!y5<JrSr>O42>rOwksikh;NL9h;;f1P$@Gxs%H%&
6tp8~XyZpk`m;YSp+Y=M=ndUbscK{Rxb?bTZ<RfOf>fcrM-|eU|n+2~AVfDW78w&mJmkAf`;{S%`8!!gD71nmj-T?&6<0l>z$_vc
(LiV-rk_a64@7qWDz~OHxqT!#`{>2*rDel49#sf<HWc)r6S_9?niYC7QdI)6mhswO(uE!zz90HU5K?O$OYT0(r{~p%IM<9m))ZZB
7xcDLPPxgN3l<qMD4%JcY5A-$veIww~?8^A@$^O{%QmEqhJ@8@@n+u?(6c8Bu@yFr^Ys$>%>+xA8&Gzy0^6sM*b^U$30t2xJEc2o
Nurd!5BGifDDf7G&+6~43OCdiQdF(&k_Si=ZeD7%%BG%@^FYz!AS@K=>l-M-~l^_QQtHi+C=J!$U;=+m7!3rJ7<MS%-E69fBIRqH
h7ypd(J}~j)V)s(`#<hDEmG$K7S3?FNrRzKHB+{$^E6g7kp!V_(li<M~ryjF92nTNk?f`?^l<O8+O#x97RU&r(001fl2n_%LIQ-@
j0000000000RTuyO00000NEhMl=I?+DbRqx%)dm0n007tg00000001Kj00000{U@>m003d`S?To~EdbBq9SZU{EzfEaEaXD+<H(F
3O&V(LdEg-UFa^sT005)S(C&%<`rHTN=__fh9xc`T002_?NW=gDP~o5*i5{cw1QUP}TH4ywm=31l!2z7X005%)MbS(Oh~c6haq%S
i_7S)HukYRaAg<c&D6G8}7x2XZYr?PA003F>oAZYW3BF$#GVoys6yQ*1W%qI7{m=ja76-ZfMd4D@CIRgUOVre~P`#YkB>6PIh2ti
dekxJongx3Btj_=dY$Qe0{Ni-c`xyl92K5u!cJpZvTHrdp86wyp9~2Y)?#(;=stTmvue@uzp%GZfmgi8?0e~S3+vv>u=(&H%0|1W
%#_I?9K=Aw|)#L*AGWG%$N#~x@AiS&H$oewIB>3~iH6xn{)Y%E)QNObTg~R{F7W6}iU?&p>{RtD>6vhMq3;lWET?Ose`zcW9DfL|
<8ZGqZ4)?0{lHt<zci~?B@51==?i$YalJjf8c_&071JSt!*21>TLd?Yq{L^pA+W&;V&&&801^5!*yYn{u023@u^ZP~RVEyCM2lF2
Hg7s|ZBt7RKy7r?&_3c&!I`(<t7v(7nyV_RY*7!Zo$m)*&82aJhs__RRM(^U>W8h5kJoW_lLgL^OoB%=rUfP}NJM>Nh1ND3Q7Z|1
V{Sr;-KKtkkZyd(?!|~|la0ay(&HuRd@Ea!MU?98mM)une)&SGrZsxn|3?v=_n#Cp@sNu6FZ2k@YI{Y8@F$+in9Q~sJm>${`PvsH
RliG|YZ68+u7#ckM<^UfMj^?N76$}CSv)mN!oc{9&cn8Mm#N-O#)%sfk64^=X72A##N$k|#7z5_@?E&cTdgu=RJOgeo;QuY-<|a!
970;OIY6`*Vtm-o!$`-H8&Gq8#n)NIk0qc(zasI0x75Rnze9nXjCiXWD(eJ9qPuf$~^8w}V>AM;LLiwLA&jHlpKkeuB#2J0=S{UQ
+HSP}Alm_2T{V8V>q3uvGW#qBWn-9LA)$Ui%dzp#jd!nc6I1z*>V-dEW|Npn>6boJ;x!ryfPW$)rM&4>G?(q{KYs>cgivTm}7z62
x+WX!lTLhHmZ=0P0I|;NaAp=*65ge<yQt(aWkEj6vxzvc@ZXcK0$nY27J{Y1Bnh?+<Tm%)MsPID)5F0M!l+d>XaX?)Ii@bA`%n3!
}Sk{F4xX=IqtEN6Egv>0#|Nj;DwBjl%G_S4q>)cWbyWSTx(L+YZc+CI+m<r_DxBUyk0050q(d%*OE33l#dhpNN-u+$k003FtH|jd
he9Zs=+#VzoM)V2<K>DuxC^;AawGF@b^TYhi001%gXZ%#^Hs=5UEjIuFJL6WnAL{$|+3^<gX6*m~KjbdqaM`92008kZDH*HVAoyz
f_6KGFk}uHVNCE%=chvv@b{3dH&I(5D000;=dpuniV*2qRK>-NR{tu<V006+~bPLD_2hacj005dBG7KdN00000KOX=987}|;007?
C000&p006@K+2;TNvH1W1B-$0x008CI_U4-F;S&G=RQq!V4GEkA000FH5&P2%cpT^50ueqfj2f6N6a?1id<>ip$0brI2LM(D>e_D
m8}|h18U<?mD*AEz%kkJ7*3#w~!V`xNV*_~rjRR&D5Gh?LO)zfvRNw6a^aU9dTH{sq?e#_g%MFPMJHMy-cM2^GQsk8^56pu7iUS|
UwF}n$GY8=T8bS#k000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000000000000000000001*f;^cV(_ZS5fsRZH
}Tm2;P#S7m42mk;8z}ns_^z!G~xbht7bO`O%@cml|P5@2xL*yVNR{s~@KrLG*h6(il0000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000Xc5gf;S3QGtRtoakq>7rk>|4+ZvWW|Rre&=rQsC(LF0xZ=lXo&(A)>-U)~)d-uf65fcf+
HfBqo?92%z*>i+-$000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000000000000000128VhF+dyT1<TFAWI=&g3)
{WENo_+7SNcTMWhm^%`^21Oh?|PuyY^(fNHNDI`$S9r8K%n%kk$8wGC(<pMbX000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
00000000000000000000000000G!oVb*#nFJGVm(%P7?_d1M!y1j_jx(NhCfM*9Eozo(ROk-1On*<P1RvE)7}Z0N$DC5dP5w+!s{
B_xsHaoBsd+00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000000000083Jv;`vTGUavda{&(t{rwRJ-Rzh
#Z}#K$wez|+tk0AE$N2-{mjEI6RQn<i8X$7$c@$^&#10!SOBK@%w(08s00000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000|J~dMKG~+;nc7Vu9oYUKr|^gI*#LOt0{r32Q~nF|hW>s1AMiKw_W_USdkldF4FX&Qi~rCHYvjcSvFn!
#!~XyP0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000000001*AX$VW!EC0aZ<K%Jit@%?rp7NIMnB5)
89w>q-HS?+!n*?_0tN|hGpUmj$%J*9H)e-XY+2|U}IO@^Y^WusB0000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000SM$2ys_ridyY468!T;0#2ma+9-Xx{neGD$)E9}$uN(-zY#PZw95D2pP>EX)I9UFo1p5lNmR16UWX~l2V;{N~
u000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
000000000000000000000000000000000000000000000000000000000000000409+42$ktK0+rGUM9bG5_2GK^1)W7z7J0Dfgc
6x$O<{85wF5uO<@i`qwcST=>le+w!aFBj38&ci(U6s@uN*;_XcS+y>zv<pnbR^yeGm5(EPTh7;f9=&M>6%<8ujPaG=z9NikjKl;4
*1LHv;MC1JJMCW7(VfLCMAgD0<Xa5`yUIZ&6u+~c$ohE(NeE>M&rVEk$jmnYR)7!2LCFzUayY7Y@gyuK${1;>mARE*uNi@0wlKQ6
}PQrfN!X%jhl;juxjiT@Ud<35A_8lwtvHPs4C*O7Q_^#&G1~8QHkms8ULmTDz>Gd)R^6vQX?fu31FzS>JXaHCE9vEG?A^j@-H{9C
==mY}vl?3t{_#0F$sr#u1qOM)=8R9M?-Xi<mZ~X|v+wLi_w(N){=?o{*(J)XHD+%xny!bHA9sb_}e&lEa?a})6lKUp(%JpR&bsee
jT?Nnp6YRhCJQPp&Y#C?iqaU{Hr|$gS1M`^et`tGlm;%DpD;WFzbqE>YXa4{I000000000000000000000000000000000000000
00000000000000000000000000000000000000000OdD_m%?DN%-Tl%9e;aNS83YsNlnAQkz~)m6r2z;6btqE^!Tp4`%>PjcMGnB
`BpxRvGv_A>zE4K}YvOq+K>O+l<Pc~OYt(2AN%21uFCgL`r}JbZJn@qqnCoi=C@^FYG$8Q+1pYn>YVL^gEEs$mV=#yd)cb}n^A;T
4@fXMa%Hu&D+X2eXNiYfk2<Q9z&I*R}%<`%G_!#d5pYSODdgL_X<nvM!%lTaXqW&t($^rNHBppZx|0948LhRxZef>EL?e3WT3HPf
eQUa(5Z3~bB^w<v-jN#+Y0Su4yFC>2cHXnokyZ#C48OY}ci1$hl2@Y!aT;-rA#?WgJlo#Or!0aywobr1B#RCsLI182-#RYWjZ3?0
Q9vwRKPy2rLhx>!i0tTl7{U49`a`R>I68QW4O8jQ_HxE|zrT26L2L9;rPWKGq<KSW{Cl7c8N(^cLBh+^Gd=irRdk(e(WE<%YH}Ay
>8~&)|j`$_>HRK`tlleLD2Iz<Oz2lSajt%Ae{`uVl7|Bib=lpmXs>eqHOBcEA_XY_9{}Sr&O7cuVh4Qu(#r`e*!uSs4+3G_L4doH
-@A2_6TqAMxm)g4a=l`qvGwD|Y!532dy7&*}#3K_7+u|<*bNS~2QSS=(wFwykfZ{U=%K~TuQ2%}GI`#b!y2?lSfcLO4(*G#?Hq&Y
Vb{B~9HQP=km>SmV3&<|_WCD}+!{-{}>=RP@Py~7`V(I4pYaJl!vjzh64BfKomHt@%3jK2@DkVh$ix4s3wEuemDH=@j5a(t8CL2H
ZLHZ;Lkp*_-RpCj~9uJKLLi$%V;q&t$LFiiZ7ure`JNZ@lAPLhAx(@LQw*~zN8sPQ;uj+yl-v7tl4Bd?g(fGk7^dIo|%?2GRGbqA
01rl!y8uVB0j|0Tp2I7|=wb+W-^(PMBtopq&B-kV=%-Ubw%>_OlP1>XcEc*-hKKtw6hu?Da(+^n$T;ECCl<!6GcLHe^78#QBR~lo
!HsXN?1_yxKwn*&&2lvSgcLOvGGydNKZQhp;h1>BSQ{DL#N8PC3k_BY$Oc8boitkMNg9ESqt_v&@T>ho{aVA9m)a`)>2jK(~yV;x
7B>G$O9u!*tsRF6_I1w#2SlSK=L@3D-&oP(#6b#z%(gBJ6(%_);G7YR7t`r&gWwW#(o(t2}9}O`5F!7}%maMxRKLB&R$UxNk5BMk
mm<F!}d>YdkY5i>hLJoxY#P=N+hRz-V2jfHMMhxlXSoDD9QTMs-it7N_!pK<zZ4n>-^9QZvfBN$R?fi-$^YVHBWFp)Vn-8`HvjKo
579IHPmkFckOx>v&IRc-$59VhJG4~qz7V`!0g$Il66!rebGXir2?HC#H;n=4CJPfAb3fbiD!_&~~ZvEX6j`Wf3-Q95X-R-FIx)%%
ad$;-u9uV*2VFx_=cox$LOyJNPrQUA|DDKe$r5yp+I07UH91+1Ce;?8e(mT8Q5$1OU7YcqCa{GtjuM<)f9T|D^M)UjgK>5D%l^bL
kp8n-J`}HFiKIg~rJkx3fUGJ*}nd7|m;0U4#x)$K=3;e+VAsz7U<lx%t#{XCNbpM(F{23(Q-1?^)yx_$fF6y-G-}~X?sUbu#6%Qa
P8wnTQul!r;F~24Q@8ZP)l?fatvmHnqddBGaG6NbC`s#uTrQ@#yTJDh^G#H!csOzNgS^$L=TGf#D!TK>YbmiaO;QeR+!~ZJq!}{0
n_~|d>kJ~^dG8NMQ-~iM9_W8*W#uL>0VgiK>3KB981>mXCSO)3{uM9c*an#-BZ3<Ep*&2`gPyUkd;}6=}+Ys2&)emalL>6)I1lha
!xFEg<Kl{W2$~AB4Y61%Ti39fS<Le6cO9T`TK{2}bU*IDU5BSXSxd_?@`reKCGR4_5S^dKtTG+<qxBVd=IrLu;6Zr4ouq4*_KL5q
waom3tEauPxT^0%cFFLmW6%yn42?R6tR}s@7I|@`f;S7W1k^}q`Q4vr9P9XC6O$kB*X(9jsYu<bT#_)N^Xb1G*8zG+-J{ln~ks>2
L{x1{&GxWao$pMoFhcng=-!#7^yWyq|7$?^L{|IIIB<qn9=ivww)E>C}mfC?6<URlZ(E<PfJtWC5003eFr#8L;TPO_(Dj7T(k{S`
@auY8f3FdGIt2JUC<0V207|O5aS^pB>004&ta@6w}jvAu|00000007$YV<G?mUl0HIeF(w&r6F(N001ljchhwe$l-VUrS#kRbVn~
2zX}cV+UM~uHTmkvyX}(mGzgXZKl_FE!TJCIixu(S&+M-|KoDU00~PS%T^k?-MhQ(QU;k6>$?-1nuMzY)@a)nWc^0n7Eg4hl_xe%
HOBp{6rvaz~v)aBD$tA`MxA3w5X$=0xwiRLGD)V8|=G@Kg$py~<?gEC?>-vY#kpzw*0s%E16Ar)_TM5|>T;&G_rw@S*ss>%=76<L
>0r+F`G4TuYVCT*Ca`651fZtpBQqVpOz5uibB=jQ(=;X)i@#pi@tN<JgEfbjvkounulJ_GX<}C3Ky03i!sRu~zoa=xf+w&RuoeXs
OrUqf^`tp(AG3cED&GF+OCioI14da0h_{M_)90rQ$!26}!`{(2;OE60I#NIglXauMClKIi{Z}71CJq3{1U+dW*0S6uUCfBO==l;z
Qr2kXlLk#i;l=QOPup(;o5%-q~JnF|4bUZUJ6Z?b;;n&Rqs_DAkBOJEM$LKU80KMSiyXr95CIB}FDGKrZv+=X@cK0pu>(i<K6ybm
p^b0HzOVMu+spLKt!z~N=2M6uyo$ulNEAcu3VdiBWRs7@oQZC#RMDUaIz2VmAy8-_0<mZO@hy<b}%_>d}?&^aj3Eev3h#Kh$C;<f
#tshYi;_Y!Fz}O|~Thw0xwe8guvi;o@#{Me=umr&@G6F#a2n>+{{T4JS1pLkwyyq?DKg$#ZD-+iW#Pk3FitBj>wg`0Sumu1B7YFF
opZ=Z{P!7Tziql08TMlmnqRvg+TL%CD00000005jK00000@(}<40027XS0w-d000Zg00000005}^007=Q00000!UXON000000000
000526G#2RdV(>}v!36EtZrnQ--x6K~66;XZQs*NZeDk##jKNG0pYLxH4dbNjS_Sastl*pVK@<Q4X75D(1=d^*+z0LkfBb^o+xrL
TnHgmZ&F&-oxb4q3dosc!f#<vr0~4$1Gw(Ri^a~#s<JrK(PwGPca0&1RnAtH8@c$taEDV|fz4V0x%J94=)#1?+(*tbb8TgC+fcF&
nDg)y>n;W&?i16s?8qzWk`v@%?VBM?tWz2)@)7pCGAk&NEY{gk2j}2zsxB-*zH5zjkp*S@G;|g&GuKOSc$-X4?m=z)GZ3OP&t-4C
pMFA=LBnWQm84(NPkrlJ@_VsB1d<Yvt+5heeVe=#O76^d!006S{_TeQCr{fC))b~90bN+Sc{U3e#%;z-xs0niw7|v4FxCmw|zVTx
31qnbHX4}ft_6vgxLg-Wk-s;xe?)q8~kOfQb2L>1aXY~)}XX>!iKRZ<S$>H54i7Ev7ks$Qv$s;-}2KV|Fs`@e<FXz1cUhE?n2qq%
te*6srg$N%aA?+vh`U?pIx&o>eRrLuGK@<HaWb;`Mmgw>QZTkT6Ob*Kx<4gh!AN<@Be*$XjfDd2`yBsL;f&NVmX8!B@WCW%OSq(S
}z5np*YX`~(j{rLUNBr{{{r(O92`(wdx7D8fTHnkSS>lu@{Qi~rU<h&wRvEDD-2o#U`To!Vssp|05(?YZOaYtYy9Bc*_w=FyB=yS
*FYeO@w+3_c-^<hgQT#~VfA^mH_67Id#`}c?Jowco3;56jG|p`mG66#r$^h>GaR+?&E9}q^TL736uMPw2hxeiix7L>vUkD%C02N9
W5wT?UeF=yt04#FoX76qPSr8%XK>3CbM+hAObrfy;ir{V6A^T1REAN8Si|#J-JMI?rLFLa7sr0hlHt7rpLKJ}tPx%!BBs--JUjCx
}C*<1<A<f_Upz_@Ux&Tb<dE|ZUj?!5pKl~#2$t2tS&LCU+{`H6Wf(BOqp$<*|rtIAoSn{s_&=QQ?)8J4b^xA;sH~dcQQU@*U`wg@
JINRprDC`UrEB?j)Q|(acO9cowSM;6mBlPPb5*z9z!&dY3HW?24mH4mvtOzO>Dcm#`G5XTaSpw7IFe0iK_5Hu*^AU#heiR}NdJQx
9>>9J<9P%0zs_j1uf(c*dp8~}N@Zhx(m-spX@&l;+-|GASQtfHd9~UqOG72mc+zX%oy8zw;gY#b8pZ(b@ECj^-UG^v_sws%`+tj$
;Pv?&5Iw8jdxdANfqzwBGp!xd$bppQ+3imk*l>}k~9{&9Mj{nXAAo{Jnstf?^SR`m89_RcCM+9j6o)4-FxCi0t;q&bv#1G#H2>{~
w4f_rMw;y}*F7`d|w*3hbmia!=fbY`+ZTYtrWb{z;b{w1jE)~-jyV4#UQW*{omf@S|hXnZ&9wEdR8|qfkcMM+-p9I1tA`e<BZ0x`
RbQE_4NU|90GzaL<B=Vuxb@3eb6cEPkF9A>PZw2M}Z1Wlpek*GM&*k?K;P&L$z{@)g8U{w}<N0|5+7gM<2k6WuCdP3KFA$3W#1Et
V8`)*;bpGJ}80TsEFbf^<rsB2v(hr~rR`RIueh$wiLj>OmR{sO|asYD9zwiz5rPI#yD+LJzz6an7a{o-xw;`YfUkj}kLB<Eg&FPy
kr2^9Qz6xjdC-V>k%+XQxSRz^kUk0)#Aq~Uz!1_1U`_Y!rEHPft+W=JSJ?anuenDg}5-U;eHu!@Y2mbf+F7bK$q5l05{O_(1>Joz
vgUntL<PT>8q8QQ_U+Aj{NG;0VFzLVbT<)LXPw`V3^!zRK0sx5vGX@$aIQE|37xBw8HT3@XG!lmX_yR!kA^)BcSOX^Qef5a<y8H>
ixcegk7~dxCR3+yT=LJ_7+x1WWvgQBo6$eoNsTEJodjwSdrvxPJ#T{Jq!~WF`6Bert6aLBr{PVof#@cn<z5ZwOH2@VKZ}wdCG5ew
k*YVjHO#uo5>ep)emlawOKg|jI*4e=YWfy}JQ}c2Sq1llGlo=!VNCj{Gy8vSFkO>D778la$ZUZ9e_YW}GdjiAf=pd~CyZ?OaqV?t
XMgLyrv;n*477UpNasZg<bkC;avj>><@d8Tnu>463ob<*Ibq&hwgXxbAzUYbTIOj9^8t$?p*#I%{$Q$<q6Ap*{L=wI5Q4jO{C<~&
>;QiJE2MRj|IP35B5%C5R0qO1T7W=ar+Z5OIv;Ck1rtME0f#Z)XMesfTc<g-qf&OR^R_0j*Ht4SQ$shU%6bL=}s0An0l<&6rMhx5
QyzVXRDEuiAXdFuwCjw{sCI{gTu^86xr4-2MYXGnD%?`r)e-BjR{P^kpgyaJq^Z)cOpYNy!fA8obQ1C_l^U<C2<N@sF&IxA<BK;o
~R|?<wF8XpLHtEU?83<qibrLffP5<fWyyA263j_@T5dxqLq5QW5(*R2WV({Vj0}*BYVfy(BA>_Ub1NnFgco=U3+1?HH+4maQX7j-
F-vF8!Ci-Q$^b$zu-SV;!$|TJUxbhk#L+zaMnh0w3M&!&3>Hu&A+u1n&81kVzV)yR&6(nHiM*(E_J_=&l&kC>s*#VOD2J?jQ@DC0
N#_(I~<Nz<$Hv)a&iUOe%6XTZh4HknHM(jH-9Sv{vkVTXcXAC3Hv*4Nlrq}`j4%n&B!2bXMDGx6$Q3k;U;}n<#$p@SM!0NIW$`P8
_ruvWjOb$8<Jq-QV9of(+X!N7?uIFwH6!&t@7!eWrLiWnR>-*mU007$j005l|-ufU2$>J&Rc-<K23@u&_003DBqAN5K{`%!K%iI6
}ll_DV{QB<<IQSa!hW1zYGW!bR07k9{cKQ$f_BUz@(BZfqNA=kmtPrg&SoJm?u?$Yg|0+5IIw@QV@#|9o2>uq<vGAD#-4==m=M!Y
{k1{q9r1nKrlg+FHiVw#a>={}Y?;h&<z#cdJ$p`roAJ*RI=Md`=Bn^53dHVPR)AM)s`0w|-!t@js#?R9AG6+8nix$|@R3aDE`vCV
8qYjA;pB|(b_3{o0BmjvCwCcSEkMh79BK_DZhXXO|?)%INoF|>`&h|w4H4(`c$_OCwQUBQ|xCxXBK-%>HxBXHAxbR}@s0tPQ{0A7
|vk(aaaSa&?iV0@`wGb*4GuVLlD)=?-MF!jTh8Fq*wGuxbu<nr*r}JtB>#7juH39M(p$9JIuKdImQR)T&P2da+JP0E3uIMZNwf&L
_^!g9+%JioN$rjucw)~YNJrzP8@e(=oE9D9Bit_;ym*Lp}I}<wFC;HSCv-$QN5fu;|?eOm*0VGQTuJ>^N$qLQxK-E(mX8sTV`~M8
<|Lu<GQ3qETq3f&-YXrOgg5pc~&;TDVNCC0x83`u&X#$l1F$z#CAqfKgc=K@iaP|-QiykujISl{@r}pv^5$aJC2Lr|1q6ef1Z}GS
304Y8nvE~~A`XPNoHP^@VncfKuR@@x@{|A@t7yuCjpc6UNX7@$`$Jk*BMi-Lxd;&oA#Q}%#Lka)~OZJx<UG@V7Pu)KQmH!0=R^1{
A3<P%eZ2$iMJoGUR*zy<#2o#0(t>>)>?+3rygyduUr{<goeG$6eHvjqsM%5|p;spr-?DMnx%_J}X)eb-Rl>tiV#r?nJ-M?AyQ{mR
#vkqAV_2{+fBqg@iapRcg*88Rj*Z~p>ffM!;j~`Io+Vd_LZu?#2FZ+Nab^UGgL-=?G@G1Qw`ST9tpY;&LRJj!U@(sr(Gx|060uHe
BrTiEiEdi4eVl4F23?=yHHpp4}w)EocW9_Qs*e@{rSl;;w6YGo|3-6ih;^mzW&Gnw?_w2_25ccBhN%z_KU)yNo)5WL%83H-oVabB
{)YMzboekCh-w#v<+y;N|=>J2`XyUV^rOg3=p!$@v?)w$tr_3?I*|pu*9<Dm>@yX7mBGG{BWzeCBpSfn$rPBPA!R185zsI7~PSx4
T!?5r8Ue>?p0f6HY=Mc#iF(CH!c<$xIkoA(vj2DaX7Y6eae%nn5G8dDX$KWhPHsS>Jg)1cH|6QKlF5(ID4kXL7
""",
    },
    record={'game': 'updown',
     'players': 4,
     'options': {},
     'base': 'all_rounder',
     'against': [],
     'seed': 1,
     'decisions': 600000,
     'steps': [{'kept': True,
                'decisions': 200000,
                'gain': [0.0235, 0.0205, 0.0265],
                'explained': {'CHANGE': 0.0326, 'CARD': 0.0261}},
               {'kept': True,
                'decisions': 400000,
                'gain': [0.0869, 0.0845, 0.0893],
                'explained': {'CHANGE': 0.042, 'CARD': 0.0311}},
               {'kept': True,
                'decisions': 600004,
                'gain': [0.0225, 0.0202, 0.0249],
                'explained': {'CHANGE': 0.0462, 'CARD': 0.0306}}],
     'beside': 'all_rounder',
     'deals': 10000,
     'strength': {'1 of 4 seats': [0.4025, 0.3983, 0.4067],
                  '2 of 4 seats': [0.6332, 0.6274, 0.6391],
                  '3 of 4 seats': [0.7808, 0.7773, 0.7844]}},
)
