"""expert: learned from all_rounder by cardlab train.

`cardlab train up --players 4 --base 'all_rounder' --seed 1 --steps 1`; steps kept: 1, 1,000,000
decisions recorded.

On 5,892 fresh deals beside all_rounder its seats win together 38.7 (38.2–39.3) % with 1 of 4 seats,
66.9 (66.1–67.6) % with 2 of 4 seats, 86.0 (85.6–86.4) % with 3 of 4 seats (95 % intervals).
"""

from simcore.language import *
from strategies.learned import declared
from strategies.features.up import (
    cap_now,
    cap_then,
    clears_in_sight,
    count_laid,
    drop_of_cap,
    fewest_left,
    hand_count,
    hand_of_next,
    heavier_in_sight,
    heavier_kept,
    hidden_count,
    is_borne,
    is_last_of_stage,
    kept_of_kind,
    kind_elsewhere,
    kind_of_play,
    laps,
    left_of_last,
    left_of_next,
    left_then,
    lighter_kept,
    minus_twos_in_sight,
    open_count,
    points_behind,
    source_of_play,
    tower_cards,
    tower_if_cleared,
    tower_if_heavy,
)


LEARNED = declared(
    base='all_rounder',
    players=4,
    features={
        "PLAY": [
            (cap_now, "whole", 4.673, 0.2656),
            (tower_cards, "whole", 3.696, 0.3183),
            (hand_count, "whole", 5.072, 0.2682),
            (open_count, "one of", 0, 5),
            (hidden_count, "one of", 0, 5),
            (left_of_next, "whole", 8.466, 0.2513),
            (left_of_last, "whole", 8.15, 0.2543),
            (fewest_left, "whole", 5.956, 0.2991),
            (hand_of_next, "whole", 4.069, 0.3079),
            (laps, "whole", 7.701, 0.172),
            (points_behind, "whole", 47.59, 0.01226),
            (heavier_in_sight, "whole", 1.696, 0.4371),
            (clears_in_sight, "one of", 0, 5),
            (minus_twos_in_sight, "one of", 0, 5),
            (source_of_play, "one of", 0, 3),
            (kind_of_play, "whole", 6.429, 0.2523),
            (count_laid, "one of", 1, 4),
            (kept_of_kind, "one of", 0, 4),
            (kind_elsewhere, "one of", 0, 4),
            (is_borne, "one of", 0, 4),
            (cap_then, "whole", 4.903, 0.2848),
            (drop_of_cap, "whole", -0.2556, 0.1876),
            (tower_if_heavy, "whole", 0.6812, 0.3034),
            (tower_if_cleared, "whole", -0.7272, 0.7111),
            (left_then, "whole", 8.913, 0.267),
            (is_last_of_stage, "one of", 0, 3),
            (lighter_kept, "whole", 2.101, 0.3569),
            (heavier_kept, "whole", 1.77, 0.3765),
        ],
    },
    weights={
        "PLAY": """
4.12902e-05 8.8948e-06 3.01833e-06 (*hps%Lk(e(+5`yK@}VOMF!&kAq1um!PpD^o*h{b9`tYhS`9cA&EvT$%F59NeE&8D
Ci9gv)#;=bxd=x5<Nt&WY5MsOgxRqc!ttT>3I|*U@&_{*gBbSt{tjF76a7o`?fX*;IP_2z?-8yYDF4*#?GEf1ZuF7f5c``ERp%i9
Z5wM2(%|D00}wV6`~G&{DDY+jxDdPVX#)!V>-o0nR@!3>Bm3g|@BpXqW9qE$DF5sc<^1;PV(k*`Bkzg_761_aOBxpNO!?pte(DzK
qy-}r6ztRF67^mP5%QniecyQL&FmumP3q0*vi!d5hy>aeZ2Z~t_X1n&U=98UK<gj?!``C|L*lFZ#RO#ROz}hTegiA=CE3^Vq79u8
qvUM?M*2GVa{dw4U-N4JZ|FJpIskX?Rpe>wU*gREJpV%e2moaM4hxA1+U>gb=GqDTw+EmHa^trC)%5BL@c*0mAp=<z2>Qkd?EaM!
%=&oTVfR$*-Ucn+^&Vae;q%e)%liiaclx0HIU+Fd^zI1)v;2nlo%pi&O$l=otP)=Mz1T6xcmCV=N#-Z(iTaD>L*7X6Qvy=<jQ~#c
@$VY|h5!Ht008Xdu<C9FMg^bd((IV?3i7S-;_E{SsS!#8M+`*udJNAGf&VDuL;UjQnG&tuQ02Gsp9XUearZp*|K}zZvhd#jRR;O>
iuOs@wGxo^Q2!D2CJJ5uYxP4FN%x2K?hn8X^Y`iko)ysiD!pIyYy*%1wgH3QVAwhT1Q^-_5cvb%4**yjsSgeM*3fPhy5h?ohuGx|
%KVZWJpOG9lm`IXKms`efbl8pFY}G#X$x8Z+5$7}BkKDMk=Za6n%3(Asp$6q8}i8-Hvog?l?&wk<^9SBCjb5W6B_R0R|5d*lG7mq
0vYq|h8`pBMgV5^g7y&svfkD8P3l78{qT<<{Nir?@Bd2yTL={KlmfNuhwnrUr2aYqH2eYT)c|4vOz7qG{r=|$4*JacG3Aj8<Mc7~
+5P?9`0Zcpd-lA%r~WqE*Af!|aOK+taq3v_J?bOsu>zG5A^Aw^0}k{Eo&4bQQ`1%U(G8#Q?-uXs3-3(>it3sQwc$Pi9mwD83*guC
p#Mbi1psv$9P(NbsskbQ5f!)U_YbfQNB4d2`yv1Q-541GfDE=9V)(`V5doDG#RWb67wdBU#oVjnW&k1*#{X#PN(<8ecnS3YN%*Dy
QTcK1ll)5p^Z{M~pazcycm15-&JSJe6bHBqOA0Clj|za{UjCo`Ozq<O6a{tzR`t>fMBqgNqyI<)=lCxF4ct!n$`^D4q6F6j0f71c
fDW@3j{|u1RtoF&iVNoT2k(#c#}an&xdo#8SM{B>eDz}2>J&8Xm=31@3j=`&xD^5Z0suGv!4Pfo_WKVDu>wF8CIo{0vjZjYUlx)J
`3LO#N&J@m?f)YTC=G=Ni1@boIt!x-Qw%Nf3jiz*P4iaf1OIUoIr*dPgXKa4cIjyrxhOvqy&D7noC-eb0~p%bcML!q1NGzmfc*gT
gaf?iZVBA_{}BijkqI*ZWeAD{rT|3scK?9owf$@fng8haywaN#UjT>e((LUEIt!l)9SJB1t?)<tI{zL0u=U;qo%=@mU>WuJyU*7I
`2V`{QS=-NqXC!`@&}vuZzulfj_iN*kLj=hssz&bSqfhg=J|#G4G8(?3D-{o3k)X(stz3rni8<!^Z6SO!1EFSWDfiUq!<kgZ0lR<
FwJoUfBK}^J^-lkf&Vqo(Dqy4j}GD6w&gJLzyKThF2=tDZ}Cd<-quSVg3m?Yg#o4JBLFoBd;YT@1PJZj%H(kIPtvvrlMN0EoD{a*
sp>s0l?W9#3H&(n`2KSYvHz~okq8I`!tLJN1K2R+oc7uFrx5l3nd9*nJM$C!&ISDH?fuNgiqSXr1@>(m>E0C*YV5lVT-K5bWaSm@
SSHXRdEB}ell^M{zzS;ll=UGKmJE{y_5U>iC<T`6X#IEzMhgn{nB~Cr{NL&9q8?z)4DtE%k?t$-9UCwbhY@-wjs=^~J|O=LHw|d|
kNE8o7Zf<+Y#agrYY|BTMi|BF4e31uY6K4;C(DBF^b7wye&-GWvHy+u@(_y!eEui^+z#gN7Wa}01KzC%7Ztr95!hB4@eN1>|NjW?
-WLJ|mFF7$TIvY^j_4)x=IxvoUj`uOL;g4SdiF&Q^7VS{-TAxu{R@`gi|w%pa~^~Ry7vduKh*i)Rrmt{{{zAU=lu5l0|x``clW02
)$o+_J^XXeSm;*#nFTQb#wP9QXZ%{}+w21W>*relKnze2AM%9wW&=9nPU!LO2mmhqxCfK>+wFt{p6;pcBmlVjRs1OM+z+Vv()(7<
EfVw>SNGBp)${?|j{kt`9t{2iyc7e=jP{-fh0kja(*q3vs12(E@BM`RH2`Mm?Dl%&SpoSEJ?6^tdl1P3BjEzeLJU&*{qRx>B<Pmv
WAg?YkM)WeZR2+IN&?Rd;sGWM_x}$i2J_nnjrtn}%;~lj+4#i*tttD`j|u+&`RLaaR_8_uxXqjrvHB47GyyLB1qoe7N$tzRGTuku
Z~x{6p#J^;OzD0OCiN^4Qv2%%@U)=~0Oy<QviNHd{^SN1F7B=La~;M4VEH%y{|J%#@A0+;asJKem*|WK5B$RLspfh0fdGN|P6}}Z
8tB^pqyR<}`vU_II^uv7s}4N&+4tJ~e+kI}?)IMWYWO|Y5%Eg({PY6xq69bRlK(XInDT@IY4lwI`UFDnS^V<*%LbGcTn2&iISe!N
$L-1t;{{sb+zyTi=M>fUhSv`dRM4sWgy25w%?z>smH9Q<5d^&vQR!pung5vjBMYnwN)jII`{^(P+8!_qWDG?E!1?gu)!#VtL>T=9
c;Q>=ocxOmE%@~-d<2*9Yx$!L3-TNK1q`hfw*L<S$M1#+%MPXiKm)S@Ug*8-MDqXnSl!12cjpM{Y3p9*4jqW;+t3H?YV-pZisiEu
Df0*niwx!ICkE!)1o-jSWB=pd`v+g{zzMe%81kFdLFonrPV`RU<qF32LFwP@L+`X8Jo3XE)%SSxj0K6z+X6`W%m(7G{OG&)$@8iP
>GItF(e-TpVCmQi%M$1Ns|*GGLi*(4ndS`(UIrQQsOTEmqbZj3x#o%#-u%1^apRZc`w6lVo!9&Tvh#!Fe<exnr~rWmMGZaa#un)w
&l48<mK=2PKFN{bE)Crz0p>;XaNe~vOzouq-wpo{00>U^QSc8BP64m!uL$$$s}6!WBk6Pj)#cO*2?ccGq5EX%G6tpwysnw-!W@<W
ya+%Hi3jKfMG;#ANCW2?F7}rS!V!e+x$x2Z67;9|u<C>Hmf&mnZ~t!SBLm+D72!nph2{4DOAgc^n&ik5c^TEfCJLGdrS>5f3H#df
Wda`h9tXA#mitouY6cSd>h_l5`Rlgjvj4RI{0FlN&=Rubkog4XtVX{GZ7PcAiv>3abj-jAM+PPh)&=zoj}Il~dkVo3{}1T}s`$GU
Ir@?Vp6`wV>icp0)Bk1pSOw<-N!&{clL0ya8PtXztm;t#>;*R6cK|390|`h50{@N!o(HrH@&UmM=^P&Y-0#rs_w*C<rVcCj1OtQr
tI+lx0R1olP67D{p$abWo%>e}3GWy5pZ_-TxCGhJM(Kjy+|%6-BH$|T)a?KjYxiCmVCQ=7T>~cvoZz+PzyEX>MH?prD+`12h3a0@
UiF9dx)3Yd1@v3vE!;i*IpaU@ZvUp~z5y;3Fy$iXr2;DdoC0{<U;3;NKn#Kez5fXS{}clc*#v#}ukLmm6WlZUCG@o_?(IAM%k!x4
E)mWN>;6Xv7#dIn=M=a63-P<(6d1_(kluv%hZwC5=No|VLjX+T)%%wIPbTsK^93RndAyt){T6rr;2BUX7zfzv!2;m`o%kvPJSBht
0nsYyDe@WcR_WsJOan~_-71s`xbBkxIp2>B5(NtT%J=l(j0trDuF@zEeBVz0*6uszYYm0mX$Xr2m;28IvG4=@bkZc_>E)mS#TfJO
eGUlv{q^4gKLO*}O7Jr6Aq>w4;1b06iV`*=r3#h<q6v8#iT0}rG1D#cUJTjE9PSGSVHE@FH0D4C?g<CN1^nv_RS7xvjqDZwPYO{5
k^z1Ay$>4|YY{l>WA{b5hV?!0g6c*OXB-^|J_*0=k^N8_ZvnajuL8&{xcf}<_4=G2?BM6{())?xP5&Mby$N6Y0|spUst=sta|o;Y
+6(j*@fU>+HuWIuH0<XK_8c|gSo=@c<L^ZE8}-Tb(G{T$xAKS>+xTAM<O7-id=g0zg9woO>=@t;VE428PX5ULQWn7KoYu1iEb(X)
8xX+oln9FjZvb)iR^s9qruan#SNv-ULIn2eZT?f_K>+dSdK<9?0u}%V-0L{r#P;j=Hva<i*yh?fX601;Wa)bkrrPxH3+$Zj`2Q&u
DgCeKeEJpx5*dv5q7}0VvgyD7#RjGLMfYO@D(~SX$Pr}Ond1i@y!Uwf%K9?{EeRg*(E|7fXYhLnpcHiN!TMAJ4+CcNiwdghyAVzl
6ZE?U)cm|2R`|&L?*3E%(gVxgh!-{G)Cj~2MEwHZk@!#RKne{5SMk~pbqv)GkNY+E8svrT?+M`NKjfqj*aa~I7y$$Ts{$eiF!QbW
Kk_2q8wED^odOFBCjMaj`s|+p2l;*hA{U|%n%H3kK_MvrYz`s@!~`V{DEmtJ(BeP@xA9NhZUBhjat$yInFN~+6c3{M<>j^e`t;8I
j||D>DDFG&q5p&r+#cBcNe$}-TkePJ?eI(O^7Xn4edVzJdi>=Vp7zB58{!l*V-a)#FCe-RwB+^hK<6Ojiu}$03+A-!;_HFyn+l`)
=Ipxt=?jtVFz~GUVB%&5MFr8@>-`Jj?=&0nyZ^@I;STxq{_Ge26CM)+2huhG_7E}?Uiz2Ls0&;D90w^7trEla=M*8+>-LT08TbMM
!1?g(TIA3A-X3!yHS{|G7x|{@ANMr`I1j@5BK9)_RS*sdbNcKArUa4w;{^oQ6Y>c0Fa$R8lIDF3R<{NPAoxxKC<GrBL;u+ep%jDY
&Hou0M)tb_^yo+V*6QN#5DZQH+X>tKfcV7*Iq`W4yA)gk;O!Io*8+p>_4XPEX7%O-N)8nKLH)!Eqxz8$vD$3_JO?BF)&fca-2cJm
vFqXz&*b3&uJGspBKQ>ZVgzRG7!@w}r}F0s2>bR0qwWUc%mz#q6#i8KJo82jDh4PPLjbd^ZY62l9nd26ILa`+(ZY@Fm7|K+AngHw
y3#nlzu0gMu+CoKLe@derr_6%d;?I_Y~ixQm#_qf{=oIh^4~rHEBSH&uk||;R1CEHd(}<sJ?A~l?GSkXF5{;bP3A+-g!6y<aOrCY
vF$At0e}eWGU4*?0O|bbN9<xBE)O6U
""",
    },
    record={'game': 'up',
     'players': 4,
     'options': {},
     'base': 'all_rounder',
     'against': [],
     'seed': 1,
     'decisions': 1000000,
     'steps': [{'kept': True,
                'decisions': 1000000,
                'gain': [0.0884, 0.0845, 0.0923],
                'explained': {'PLAY': 0.0281}}],
     'beside': 'all_rounder',
     'deals': 5892,
     'strength': {'1 of 4 seats': [0.3873, 0.3817, 0.3929],
                  '2 of 4 seats': [0.6689, 0.6612, 0.6764],
                  '3 of 4 seats': [0.86, 0.856, 0.864]}},
)
